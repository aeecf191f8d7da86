import type { AddressState } from '#identity/addresses/state.ts'
import { fromShop, isReachable } from '#identity/companies/letterhead.mails.ts'
import type { Correspondent } from '#identity/companies/state.ts'
import { ownTextsIn } from '#identity/mail-texts/rules.ts'
import {
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
import type { OrderLineState } from '../state.ts'
import type { LowStock } from './jobs.ts'
import type { OrderMailContext } from './queries.ts'
import { titleOf } from './rules.ts'
import { type Wording, wordingFor } from './wording.rules.ts'

/** The fields of a shipment that its mail shows. */
export type Parcel = Pick<FulfillmentState, 'lines' | 'tracking_company' | 'tracking_number' | 'tracking_template'>

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
  return toCustomer(context, words, 'refund', {
    title: t('mails.order.refund.title'),
    parts: [
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
    ],
  })
}

/** Tells the customer that an order was cancelled. Money that was paid is the subject of a refund, which has its own mail. */
export function cancellationTemplate(context: OrderMailContext): NewMail {
  const { order } = context
  const words = wordingOf(context)
  const { t } = words
  const items = order.lines.map((line) => counted(line.quantity, titleIn(context, line), words))
  return toCustomer(context, words, 'cancellation', {
    title: t('mails.order.cancellation.title'),
    parts: [
      paragraph(t('mails.order.cancellation.text', { order: orderName(order.id), date: words.date(order.created_at) })),
      ...(isUnpaidBill(order) ? [paragraph(t('mails.order.cancellation.unpaid'))] : []),
      heading(t('mails.order.cancellation.items')),
      list(items),
    ],
  })
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
  return toCustomer(context, words, 'shipment', {
    title: t('mails.order.shipment.title'),
    parts: [
      paragraph(t('mails.order.shipment.text', { order: orderName(order.id), date: words.date(order.created_at) })),
      ...(/^https?:\/\//i.test(link)
        ? [button({ label: t('mails.order.shipment.track'), link, hint: t('mails.common.if_button_fails') })]
        : []),
      ...(carrier.length > 0 ? [lines(carrier)] : []),
      ...(contents.length > 0 ? [heading(t('mails.order.shipment.contents')), list(contents)] : []),
      ...addressParts(order.shipping_address, words),
    ],
  })
}

/** Warns the owner of a low stock; undefined if the company has no email address. */
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

export function wordingOf({ customer, order, sender }: OrderMailContext): Wording {
  return wordingFor(customer.language, order.country_code, ownTextsIn(sender.company, customer.language))
}

export function titleIn({ locales, customer }: OrderMailContext, line: OrderLineState): string {
  return titleOf(line, locales, customer.language)
}

export function counted(quantity: number, name: string, words: Wording): string {
  return quantity === 1 ? inLine(name) : `${words.number(quantity)} × ${inLine(name)}`
}

export function addressParts(address: AddressState | null, words: Wording): Part[] {
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

/** What a mail about an order is, beside its subject. */
export type OrderLetter = { title: string; parts: Part[]; picture?: string | undefined; preview?: string | undefined }

/** A mail to the customer, in the name of the shop. */
export function toCustomer(
  { order, customer, sender }: OrderMailContext,
  { t, language, hello, country }: Wording,
  about: 'confirmation' | 'refund' | 'cancellation' | 'shipment',
  { parts, ...letter }: OrderLetter,
): NewMail {
  const { company } = sender
  const subject = t(`mails.order.${about}.subject`, { order: orderName(order.id), shop: inLine(sender.shopName) })
  return fromShop(
    { ...sender, country: country(company.country_code, company.country_code) },
    {
      ...letter,
      to: customer.email,
      subject: order.test ? `[${t('mails.common.test')}] ${subject}` : subject,
      language,
      parts: [
        ...(order.test ? [notice(t('mails.common.test_notice'))] : []),
        paragraph(hello(inLine(`${customer.first_name} ${customer.last_name}`))),
        ...parts,
        ...(isReachable(company) ? [paragraph(t('mails.common.answer'))] : []),
      ],
    },
  )
}
