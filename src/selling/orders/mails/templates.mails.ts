import { html } from 'ghtml'
import { coverPath } from '#catalog/pictures/present.ts'
import { accentOf } from '#catalog/theme-settings/accent.rules.ts'
import type { AddressState } from '#identity/addresses/state.ts'
import { fromShop, isReachable } from '#identity/companies/letterhead.mails.ts'
import type { Correspondent } from '#identity/companies/state.ts'
import {
  type BillRow,
  type BillSum,
  type ButtonColours,
  bill,
  button,
  heading,
  inLine,
  layOut,
  lines,
  list,
  notice,
  type Part,
  paragraph,
  title,
} from '#platform/mail/layout.ts'
import type { NewMail } from '#platform/mail/queue.ts'
import { isMailAddress } from '#platform/mail/settings.ts'
import type { Translator } from '#platform/text/messages.ts'
import { trackingUrl } from '#selling/shipping-methods/rules.ts'
import type { FulfillmentState } from '../fulfillments/state.ts'
import type { RefundState } from '../refunds/state.ts'
import { isUnpaidBill, orderName } from '../rules.ts'
import type { OrderLineState, OrderState, Withdrawal } from '../state.ts'
import type { LowStock } from './jobs.ts'
import type { OrderMailContext } from './queries.ts'
import { type ProductText, taxesOf, textsOf, titleOf, useOf } from './rules.ts'
import { type Wording, wordingFor } from './wording.rules.ts'

/** The fields of a shipment that its mail shows. */
export type Parcel = Pick<FulfillmentState, 'lines' | 'tracking_company' | 'tracking_number' | 'tracking_template'>

/** Confirms an order, with its lines, totals, address and the mail texts of its products. */
export function confirmationTemplate(context: OrderMailContext, baseUrl: string): NewMail {
  const { order, locales, customer } = context
  const words = wordingOf(context)
  const { t } = words
  const { texts, isWhole } = textsOf(order.lines, locales, customer.language)
  const numbers = [
    ...(order.order_number === ''
      ? []
      : [t('mails.order.confirmation.invoice_number', { number: inLine(order.order_number) })]),
    ...(order.po_number === ''
      ? []
      : [t('mails.order.confirmation.purchase_order', { number: inLine(order.po_number) })]),
    ...(order.vat_id === '' ? [] : [t('mails.order.confirmation.vat_id', { id: order.vat_id })]),
    ...(order.reverse_charge ? [t('mails.order.confirmation.reverse_charge')] : []),
  ]
  const hasGoods = order.lines.some(({ kind }) => kind === 'physical')
  return toCustomer(context, words, 'confirmation', [
    paragraph(t('mails.order.confirmation.text', { order: orderName(order.id), date: words.date(order.created_at) })),
    ...(numbers.length > 0 ? [lines(numbers)] : []),
    bill(
      [t('mails.order.confirmation.item'), t('mails.order.confirmation.price')],
      rowsOf(context, words, baseUrl),
      sumsOf(context, words),
    ),
    ...useParts(context, words, baseUrl),
    ...(order.lines.some(({ code }) => code !== null) ? [paragraph(t('mails.order.confirmation.keep_codes'))] : []),
    ...(hasGoods ? addressParts(order.shipping_address, words) : []),
    ...withdrawalParts(order.withdrawal, words),
    ...(hasGoods ? withdrawalLink(order, words, baseUrl) : []),
    ...texts.flatMap(textParts),
    ...(isWhole ? [] : [paragraph(t('mails.order.confirmation.texts_left_out'))]),
  ])
}

/** The colours of a button in the accent of the shop, if it has one. */
export function inAccent(accent: string): { colours?: ButtonColours } {
  const shades = accent === '' ? undefined : accentOf(accent).light
  return shades === undefined ? {} : { colours: { background: shades.accent, text: shades.on } }
}

/** One press away: the obvious next thing to do with what was bought. */
function useParts({ order, accent }: OrderMailContext, { t }: Wording, baseUrl: string): Part[] {
  const use = useOf(order)
  if (use === undefined) return []
  return [
    button({
      label: t(`mails.order.confirmation.use.${use}`),
      link: `${baseUrl}/shop/${order.theme_setting_id}/my-content`,
      hint: t('mails.common.if_button_fails'),
      ...inAccent(accent),
    }),
  ]
}

/** The consent of the customer has to be confirmed on a durable medium, in the words that the customer saw. */
function withdrawalParts(withdrawal: Withdrawal | null, { t, date }: Wording): Part[] {
  if (withdrawal === null) return []
  const { consented, text, usable_from } = withdrawal
  const isUsable = consented || usable_from === null
  const sentence = isUsable ? text : t('mails.order.confirmation.usable_from', { date: date(new Date(usable_from)) })
  return [heading(t('mails.order.confirmation.withdrawal')), paragraph(inLine(sentence))]
}

/** Customers may give goods back. Companies have no such right. */
function withdrawalLink({ id, theme_setting_id, vat_id }: OrderState, { t }: Wording, baseUrl: string): Part[] {
  if (vat_id !== '') return []
  const link = `${baseUrl}/shop/${theme_setting_id}/withdrawal?order=${id}`
  return [lines([t('mails.order.confirmation.withdraw_here'), link])]
}

function rowsOf({ order, locales, customer, pictures }: OrderMailContext, words: Wording, baseUrl: string): BillRow[] {
  const pictureOf = (key: number) => {
    const cover = pictures.get(key)
    return cover && `${baseUrl}${coverPath(cover)}`
  }
  const { t } = words
  return order.lines.map((line) => ({
    name: counted(line.quantity, titleOf(line, locales, customer.language), words),
    details: [
      ...(line.license_title === null ? [] : [`${inLine(line.license_title)}${line.hd ? ' · HD' : ''}`]),
      ...(line.product_exists ? [] : [t('mails.order.confirmation.pre_order')]),
      ...(line.code === null ? [] : [t('mails.order.confirmation.code', { code: line.code })]),
    ],
    amount: words.money(line.list_cents, order.currency),
    picture: pictureOf(line.product_key),
  }))
}

function sumsOf({ order }: OrderMailContext, words: Wording): BillSum[] {
  const { t } = words
  const sum = (label: string, cents: number, weight: BillSum['weight'] = 'plain') => ({
    label,
    amount: words.money(cents, order.currency),
    weight,
  })
  const between = [
    ...order.discount_codes.map(({ code, amount }) =>
      sum(t('mails.order.confirmation.discount', { code: inLine(code) }), -amount),
    ),
    ...order.shipping_lines.map((line) => sum(shippingBy(inLine(line.title), t), line.price)),
  ]
  return [
    ...(between.length > 0 ? [sum(t('mails.order.confirmation.subtotal'), order.line_items_cents), ...between] : []),
    sum(t('mails.order.confirmation.total'), order.total_cents, 'strong'),
    ...taxesOf(order).map(({ rate, cents }) =>
      sum(t('mails.order.confirmation.tax', { rate: words.percent(rate) }), cents, 'small'),
    ),
  ]
}

function shippingBy(way: string, t: Translator): string {
  return way === '' ? t('mails.order.confirmation.shipping') : t('mails.order.confirmation.shipping_by', { way })
}

/** The HTML was cleaned when the owner wrote it. */
function textParts({ title, language, mail }: ProductText): Part[] {
  const framed = html`<div lang="${language}" dir="auto" style="margin:0 0 16px">!${mail.html}</div>`
  return [heading(inLine(title)), { html: framed, text: mail.text }]
}

/** Tells the customer about a refund. The note of a refund is internal and is not sent. */
export function refundTemplate(context: OrderMailContext, refund: RefundState): NewMail {
  const { order } = context
  const words = wordingOf(context)
  const { t } = words
  const name = orderName(order.id)
  const date = words.date(order.created_at)
  const byId = new Map(order.lines.map((line) => [line.id, line]))
  const returned = refund.lines.flatMap(({ line_item_id, quantity }) => {
    const line = byId.get(line_item_id)
    return line === undefined ? [] : [counted(quantity, titleIn(context, line), words)]
  })
  return toCustomer(context, words, 'refund', [
    paragraph(
      refund.amount_cents > 0
        ? t('mails.order.refund.text', {
            amount: words.money(refund.amount_cents, order.currency),
            order: name,
            date,
          })
        : t('mails.order.refund.without_money', { order: name, date }),
    ),
    ...(returned.length > 0 ? [heading(t('mails.order.refund.returned')), list(returned)] : []),
  ])
}

/** Tells the customer that an order was cancelled. Money that was paid is the subject of a refund, which has its own mail. */
export function cancellationTemplate(context: OrderMailContext): NewMail {
  const { order } = context
  const words = wordingOf(context)
  const { t } = words
  const items = order.lines.map((line) => counted(line.quantity, titleIn(context, line), words))
  return toCustomer(context, words, 'cancellation', [
    paragraph(t('mails.order.cancellation.text', { order: orderName(order.id), date: words.date(order.created_at) })),
    ...(isUnpaidBill(order) ? [paragraph(t('mails.order.cancellation.unpaid'))] : []),
    heading(t('mails.order.cancellation.items')),
    list(items),
  ])
}

/** Tells the customer about a shipment, with its address and tracking link. */
export function shipmentTemplate(context: OrderMailContext, parcel: Parcel): NewMail {
  const { order } = context
  const words = wordingOf(context)
  const { t } = words
  const byId = new Map(order.lines.map((line) => [line.id, line]))
  const contents = parcel.lines
    .filter(({ quantity }) => quantity > 0)
    .map(({ id, title, quantity }) => {
      const line = byId.get(id)
      return counted(quantity, line === undefined ? title : titleIn(context, line), words)
    })
  const number = inLine(parcel.tracking_number)
  const link = trackingUrl(parcel.tracking_template, number)
  const carrier = [
    ...(parcel.tracking_company === ''
      ? []
      : [t('mails.order.shipment.carrier', { company: inLine(parcel.tracking_company) })]),
    ...(number === '' ? [] : [t('mails.order.shipment.tracking_number', { number })]),
  ]
  return toCustomer(context, words, 'shipment', [
    paragraph(t('mails.order.shipment.text', { order: orderName(order.id), date: words.date(order.created_at) })),
    ...(/^https?:\/\//i.test(link)
      ? [button({ label: t('mails.order.shipment.track'), link, hint: t('mails.common.if_button_fails') })]
      : []),
    ...(carrier.length > 0 ? [lines(carrier)] : []),
    ...(contents.length > 0 ? [heading(t('mails.order.shipment.contents')), list(contents)] : []),
    ...addressParts(order.shipping_address, words),
  ])
}

/** Warns the owner of a low stock; undefined if the company has no e-mail address. */
export function stockTemplate(company: Correspondent, low: LowStock): NewMail | undefined {
  if (!isMailAddress(company.email)) return undefined
  const { t, language, number } = wordingFor(company.language, company.country_code)
  const product = inLine(low.title)
  const mail = layOut({
    subject: t('mails.stock.subject', { product }),
    language,
    parts: [
      title(t('mails.stock.title')),
      paragraph(t('mails.stock.text', { product, count: low.stock, number: number(low.stock) })),
      lines([t('mails.stock.product', { id: low.product_id })]),
      paragraph(t('mails.stock.why')),
    ],
  })
  return { companyId: company.id, to: company.email, ...mail }
}

function wordingOf({ customer, order }: OrderMailContext): Wording {
  return wordingFor(customer.language, order.country_code)
}

function titleIn({ locales, customer }: OrderMailContext, line: OrderLineState): string {
  return titleOf(line, locales, customer.language)
}

function counted(quantity: number, name: string, words: Wording): string {
  return quantity === 1 ? inLine(name) : `${words.number(quantity)} × ${inLine(name)}`
}

function addressParts(address: AddressState | null, words: Wording): Part[] {
  if (address === null) return []
  const texts = [
    `${address.first_name} ${address.last_name}`,
    address.company,
    address.address1,
    address.address2,
    `${address.zip} ${address.city}`,
    address.province,
    words.country(address.country_code, address.country),
  ].map(inLine)
  return [heading(words.t('mails.common.address')), lines(texts.filter((text) => text !== ''))]
}

/** A mail to the customer, in the name of the shop. */
function toCustomer(
  { order, customer, company, shopName }: OrderMailContext,
  { t, language, hello, country }: Wording,
  about: 'confirmation' | 'refund' | 'cancellation' | 'shipment',
  parts: Part[],
): NewMail {
  const subject = t(`mails.order.${about}.subject`, { order: orderName(order.id), shop: inLine(shopName) })
  const sender = { company, shopName, country: country(company.country_code, company.country_code) }
  return fromShop(sender, {
    to: customer.email,
    subject: order.test ? `[${t('mails.common.test')}] ${subject}` : subject,
    language,
    title: t(`mails.order.${about}.title`),
    parts: [
      ...(order.test ? [notice(t('mails.common.test_notice'))] : []),
      paragraph(hello(inLine(`${customer.first_name} ${customer.last_name}`))),
      ...parts,
      ...(isReachable(company) ? [paragraph(t('mails.common.answer'))] : []),
    ],
  })
}
