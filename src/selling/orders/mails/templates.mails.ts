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
import { trackingUrl } from '#selling/shipping-methods/rules.ts'
import type { FulfillmentState } from '../fulfillments/state.ts'
import type { RefundState } from '../refunds/state.ts'
import { isUnpaidBill, orderName } from '../rules.ts'
import type { OrderLineState, OrderState, Withdrawal } from '../state.ts'
import type { LowStock } from './jobs.ts'
import type { OrderMailContext } from './queries.ts'
import { type ProductText, taxesOf, textsOf, titleOf, useOf } from './rules.ts'
import { type Words, wordsFor } from './words.ts'

/** The fields of a shipment that its mail shows. */
export type Parcel = Pick<FulfillmentState, 'lines' | 'tracking_company' | 'tracking_number' | 'tracking_template'>

/** Confirms an order, with its lines, totals, address and the mail texts of its products. */
export function confirmationTemplate(context: OrderMailContext, baseUrl: string): NewMail {
  const { order, locales, customer } = context
  const words = wordsOf(context)
  const phrases = words.phrases.confirmation
  const { texts, isWhole } = textsOf(order.lines, locales, customer.language)
  const numbers = [
    ...(order.order_number === '' ? [] : [phrases.invoiceNumber(inLine(order.order_number))]),
    ...(order.po_number === '' ? [] : [phrases.purchaseOrder(inLine(order.po_number))]),
    ...(order.vat_id === '' ? [] : [phrases.vatId(order.vat_id)]),
    ...(order.reverse_charge ? [phrases.reverseCharge] : []),
  ]
  const hasGoods = order.lines.some(({ kind }) => kind === 'physical')
  return toCustomer(context, words, phrases, [
    paragraph(phrases.text(orderName(order.id), words.date(order.created_at))),
    ...(numbers.length > 0 ? [lines(numbers)] : []),
    bill([phrases.item, phrases.price], rowsOf(context, words, baseUrl), sumsOf(context, words)),
    ...useParts(context, words, baseUrl),
    ...(order.lines.some(({ code }) => code !== null) ? [paragraph(phrases.keepCodes)] : []),
    ...(hasGoods ? addressParts(order.shipping_address, words) : []),
    ...withdrawalParts(order.withdrawal, words),
    ...(hasGoods ? withdrawalLink(order, words, baseUrl) : []),
    ...texts.flatMap(textParts),
    ...(isWhole ? [] : [paragraph(phrases.textsLeftOut)]),
  ])
}

/** The colours of a button in the accent of the shop, if it has one. */
export function inAccent(accent: string): { colours?: ButtonColours } {
  const shades = accent === '' ? undefined : accentOf(accent).light
  return shades === undefined ? {} : { colours: { background: shades.accent, text: shades.on } }
}

/** One press away: the obvious next thing to do with what was bought. */
function useParts({ order, accent }: OrderMailContext, { phrases }: Words, baseUrl: string): Part[] {
  const use = useOf(order)
  if (use === undefined) return []
  return [
    button({
      label: phrases.confirmation.use[use],
      link: `${baseUrl}/shop/${order.theme_setting_id}/my-content`,
      hint: phrases.ifButtonFails,
      ...inAccent(accent),
    }),
  ]
}

/** The consent of the customer has to be confirmed on a durable medium, in the words that the customer saw. */
function withdrawalParts(withdrawal: Withdrawal | null, words: Words): Part[] {
  if (withdrawal === null) return []
  const { withdrawal: title, usableFrom } = words.phrases.confirmation
  const { consented, text, usable_from } = withdrawal
  const sentence = consented || usable_from === null ? text : usableFrom(words.date(new Date(usable_from)))
  return [heading(title), paragraph(inLine(sentence))]
}

/** Customers may give goods back. Companies have no such right. */
function withdrawalLink({ id, theme_setting_id, vat_id }: OrderState, words: Words, baseUrl: string): Part[] {
  if (vat_id !== '') return []
  const link = `${baseUrl}/shop/${theme_setting_id}/withdrawal?order=${id}`
  return [lines([words.phrases.confirmation.withdrawHere, link])]
}

function rowsOf({ order, locales, customer, pictures }: OrderMailContext, words: Words, baseUrl: string): BillRow[] {
  const pictureOf = (key: number) => {
    const cover = pictures.get(key)
    return cover && `${baseUrl}${coverPath(cover)}`
  }
  const { preOrder, code } = words.phrases.confirmation
  return order.lines.map((line) => ({
    name: counted(line.quantity, titleOf(line, locales, customer.language), words),
    details: [
      ...(line.license_title === null ? [] : [`${inLine(line.license_title)}${line.hd ? ' · HD' : ''}`]),
      ...(line.product_exists ? [] : [preOrder]),
      ...(line.code === null ? [] : [code(line.code)]),
    ],
    amount: words.money(line.list_cents, order.currency),
    picture: pictureOf(line.product_key),
  }))
}

function sumsOf({ order }: OrderMailContext, words: Words): BillSum[] {
  const phrases = words.phrases.confirmation
  const sum = (label: string, cents: number, weight: BillSum['weight'] = 'plain') => ({
    label,
    amount: words.money(cents, order.currency),
    weight,
  })
  const between = [
    ...order.discount_codes.map(({ code, amount }) => sum(phrases.discount(inLine(code)), -amount)),
    ...order.shipping_lines.map((line) => sum(phrases.shipping(inLine(line.title)), line.price)),
  ]
  return [
    ...(between.length > 0 ? [sum(phrases.subtotal, order.line_items_cents), ...between] : []),
    sum(phrases.total, order.total_cents, 'strong'),
    ...taxesOf(order).map(({ rate, cents }) => sum(phrases.tax(words.percent(rate)), cents, 'small')),
  ]
}

/** The HTML was cleaned when the owner wrote it. */
function textParts({ title, language, mail }: ProductText): Part[] {
  const framed = html`<div lang="${language}" dir="auto" style="margin:0 0 16px">!${mail.html}</div>`
  return [heading(inLine(title)), { html: framed, text: mail.text }]
}

/** Tells the customer about a refund. The note of a refund is internal and is not sent. */
export function refundTemplate(context: OrderMailContext, refund: RefundState): NewMail {
  const { order } = context
  const words = wordsOf(context)
  const phrases = words.phrases.refund
  const name = orderName(order.id)
  const date = words.date(order.created_at)
  const byId = new Map(order.lines.map((line) => [line.id, line]))
  const returned = refund.lines.flatMap(({ line_item_id, quantity }) => {
    const line = byId.get(line_item_id)
    return line === undefined ? [] : [counted(quantity, titleIn(context, line), words)]
  })
  return toCustomer(context, words, phrases, [
    paragraph(
      refund.amount_cents > 0
        ? phrases.text(words.money(refund.amount_cents, order.currency), name, date)
        : phrases.withoutMoney(name, date),
    ),
    ...(returned.length > 0 ? [heading(phrases.returned), list(returned)] : []),
  ])
}

/** Tells the customer that an order was cancelled. Money that was paid is the subject of a refund, which has its own mail. */
export function cancellationTemplate(context: OrderMailContext): NewMail {
  const { order } = context
  const words = wordsOf(context)
  const phrases = words.phrases.cancellation
  const items = order.lines.map((line) => counted(line.quantity, titleIn(context, line), words))
  return toCustomer(context, words, phrases, [
    paragraph(phrases.text(orderName(order.id), words.date(order.created_at))),
    ...(isUnpaidBill(order) ? [paragraph(phrases.unpaid)] : []),
    heading(phrases.items),
    list(items),
  ])
}

/** Tells the customer about a shipment, with its address and tracking link. */
export function shipmentTemplate(context: OrderMailContext, parcel: Parcel): NewMail {
  const { order } = context
  const words = wordsOf(context)
  const phrases = words.phrases.shipment
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
    ...(parcel.tracking_company === '' ? [] : [phrases.carrier(inLine(parcel.tracking_company))]),
    ...(number === '' ? [] : [phrases.trackingNumber(number)]),
  ]
  return toCustomer(context, words, phrases, [
    paragraph(phrases.text(orderName(order.id), words.date(order.created_at))),
    ...(/^https?:\/\//i.test(link) ? [button({ label: phrases.track, link, hint: words.phrases.ifButtonFails })] : []),
    ...(carrier.length > 0 ? [lines(carrier)] : []),
    ...(contents.length > 0 ? [heading(phrases.contents), list(contents)] : []),
    ...addressParts(order.shipping_address, words),
  ])
}

/** Warns the owner of a low stock; undefined if the company has no e-mail address. */
export function stockTemplate(company: Correspondent, low: LowStock): NewMail | undefined {
  if (!isMailAddress(company.email)) return undefined
  const words = wordsFor(company.language, company.country_code)
  const phrases = words.phrases.stock
  const name = inLine(low.title)
  const mail = layOut({
    subject: phrases.subject(name),
    language: words.language,
    parts: [
      title(phrases.title),
      paragraph(phrases.text(name, low.stock, words.number(low.stock))),
      lines([phrases.product(low.product_id)]),
      paragraph(phrases.why),
    ],
  })
  return { companyId: company.id, to: company.email, ...mail }
}

function wordsOf({ customer, order }: OrderMailContext): Words {
  return wordsFor(customer.language, order.country_code)
}

function titleIn({ locales, customer }: OrderMailContext, line: OrderLineState): string {
  return titleOf(line, locales, customer.language)
}

function counted(quantity: number, name: string, words: Words): string {
  return quantity === 1 ? inLine(name) : `${words.number(quantity)} × ${inLine(name)}`
}

function addressParts(address: AddressState | null, words: Words): Part[] {
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
  return [heading(words.phrases.address), lines(texts.filter((text) => text !== ''))]
}

/** A mail to the customer, in the name of the shop. */
function toCustomer(
  { order, customer, company, shopName }: OrderMailContext,
  { language, phrases, country }: Words,
  about: { subject: (order: string, shop: string) => string; title: string },
  parts: Part[],
): NewMail {
  const subject = about.subject(orderName(order.id), inLine(shopName))
  const sender = { company, shopName, country: country(company.country_code, company.country_code) }
  return fromShop(sender, {
    to: customer.email,
    subject: order.test ? `[${phrases.test}] ${subject}` : subject,
    language,
    title: about.title,
    parts: [
      ...(order.test ? [notice(phrases.testNotice)] : []),
      paragraph(phrases.hello(inLine(`${customer.first_name} ${customer.last_name}`))),
      ...parts,
      ...(isReachable(company) ? [paragraph(phrases.answer)] : []),
    ],
  })
}
