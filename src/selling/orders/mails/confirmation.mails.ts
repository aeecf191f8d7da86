import { html } from 'ghtml'
import { MAIL_WIDTHS } from '#catalog/pictures/names.rules.ts'
import { coverPath } from '#catalog/pictures/present.ts'
import { homeAddress, libraryAddress } from '#catalog/theme-settings/domains.rules.ts'
import {
  type BillRow,
  type BillSum,
  bill,
  button,
  heading,
  inLine,
  lines,
  type Part,
  paragraph,
  smallPrint,
  textLink,
} from '#platform/mail/layout.ts'
import type { NewMail } from '#platform/mail/queue.ts'
import type { Translator } from '#platform/text/messages.ts'
import { clausesInWords } from '#rights/entitlements/rights/sentences.rules.ts'
import { rightsOf } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { orderName, orderPath } from '../rules.ts'
import type { OrderLineState, OrderState, Withdrawal } from '../state.ts'
import type { OrderMailContext } from './queries.ts'
import { nextOf, type ProductText, sumsOfTaxes, textsOf, type Usable } from './rules.ts'
import { addressParts, counted, titleIn, toCustomer, wordingOf } from './templates.mails.ts'
import type { Wording } from './wording.rules.ts'

/** More links than this would hide the button: the rest is in My Content. */
const FURTHER_MAX = 3

/** Confirms an order: what to do next, then its lines, totals, address and the mail texts of its products. */
export function confirmationTemplate(context: OrderMailContext, baseUrl: string, now: Date): NewMail {
  const { order, locales, customer, face } = context
  const home = face && homeAddress(face, baseUrl, order.visit.host)
  const words = wordingOf(context)
  const { t } = words
  const { texts, isWhole } = textsOf(order.lines, locales, customer.language)
  const hasGoods = order.lines.some(({ kind }) => kind === 'physical')
  const { first, further } = nextOf(order, context.entitlements, now)
  const cover = first && context.pictures.get(first.line.product_key)
  const terms = first === undefined ? '' : termsOf(first.entitlement, words)
  const thanks = t('mails.order.confirmation.thanks')
  return toCustomer(context, words, 'confirmation', {
    title:
      first === undefined
        ? t('mails.order.confirmation.title')
        : t(`mails.order.confirmation.ready.${first.use}`, { title: inLine(titleIn(context, first.line)) }),
    preview: terms === '' ? thanks : terms,
    picture: cover?.is_wide ? `${baseUrl}${coverPath(cover, MAIL_WIDTHS.lead)}` : undefined,
    parts: [
      paragraph(terms === '' ? thanks : `${thanks} ${terms}`),
      ...(face === undefined
        ? []
        : nextParts(context, words, libraryAddress(face, baseUrl, order.visit.host), { first, further })),
      heading(t('mails.order.confirmation.order', { order: orderName(order.id) })),
      smallPrint(words.date(order.created_at)),
      ...numberParts(order, t),
      bill(rowsOf(context, words, baseUrl), sumsOf(context, words)),
      ...(home === undefined ? [] : [textLink('', t('mails.order.confirmation.receipt'), pageOf(order, home))]),
      ...(order.lines.some(({ code }) => code !== null) ? [paragraph(t('mails.order.confirmation.keep_codes'))] : []),
      ...(hasGoods ? addressParts(order.shipping_address, words) : []),
      ...withdrawalParts(order.withdrawal, words),
      ...(hasGoods && home !== undefined ? withdrawalLink(order, words, home) : []),
      ...texts.flatMap(textParts),
      ...(isWhole ? [] : [paragraph(t('mails.order.confirmation.texts_left_out'))]),
    ],
  })
}

/** The page of the order, whose address is secret. */
function pageOf(order: OrderState, address: string): string {
  return `${address}/orders/${orderPath(order)}`
}

/** One press away: the obvious next thing to do with what was bought. The secret of the order in the link says whom to mail a sign-in link. */
function nextParts(
  context: OrderMailContext,
  { t }: Wording,
  address: string,
  { first, further }: { first: Usable | undefined; further: readonly Usable[] },
): Part[] {
  const { order } = context
  const itemLink = ({ entitlement }: Usable) => `${address}/my-content/${entitlement.id}/open?token=${orderPath(order)}`
  if (first === undefined) {
    const isShipped = order.lines.some(({ kind }) => kind === 'physical')
    return isShipped ? [button({ label: t('mails.order.confirmation.use.track'), link: pageOf(order, address) })] : []
  }
  const also = further.slice(0, FURTHER_MAX).map((each) => {
    const title = inLine(titleIn(context, each.line))
    return textLink(
      t('mails.order.confirmation.ready_too', { title }),
      t(`mails.order.confirmation.use.${each.use}`),
      itemLink(each),
    )
  })
  return [
    button({ label: t(`mails.order.confirmation.use.${first.use}`), link: itemLink(first) }),
    ...also,
    ...(further.length > FURTHER_MAX
      ? [
          textLink(
            t('mails.order.confirmation.ready_all'),
            t('mails.order.confirmation.content'),
            `${address}/my-content?token=${orderPath(order)}`,
          ),
        ]
      : []),
  ]
}

function termsOf(entitlement: EntitlementState, words: Wording): string {
  return clausesInWords(rightsOf(entitlement), words.language, words.date)
    .map(({ text }) => text)
    .join(' ')
}

function numberParts({ order_number, po_number, vat_id, reverse_charge }: OrderState, t: Translator): Part[] {
  const numbers = [
    ...(order_number === '' ? [] : [t('mails.order.confirmation.invoice_number', { number: inLine(order_number) })]),
    ...(po_number === '' ? [] : [t('mails.order.confirmation.purchase_order', { number: inLine(po_number) })]),
    ...(vat_id === '' ? [] : [t('mails.order.confirmation.vat_id', { id: vat_id })]),
    ...(reverse_charge ? [t('mails.order.confirmation.reverse_charge')] : []),
  ]
  return numbers.length > 0 ? [lines(numbers)] : []
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
function withdrawalLink({ id, vat_id }: OrderState, { t }: Wording, address: string): Part[] {
  if (vat_id !== '') return []
  return [textLink('', t('mails.order.confirmation.withdraw_here'), `${address}/withdrawal?order=${id}`)]
}

function rowsOf(context: OrderMailContext, words: Wording, baseUrl: string): BillRow[] {
  const { order, pictures, entitlements } = context
  const { t } = words
  return order.lines.map((line) => {
    const cover = pictures.get(line.product_key)
    const [owned] = entitlements.get(line.id) ?? []
    return {
      name: counted(line.quantity, titleIn(context, line), words),
      details: [
        ...soldAs(line),
        ...(owned === undefined ? [] : [termsOf(owned, words)]),
        ...(line.credit_cents === 0
          ? []
          : [t('mails.order.confirmation.credited', { amount: words.money(line.credit_cents, order.currency) })]),
        ...(line.product_exists ? [] : [t('mails.order.confirmation.pre_order')]),
        ...(line.code === null ? [] : [t('mails.order.confirmation.code', { code: line.code })]),
      ],
      amount: words.money(line.list_cents, order.currency),
      picture: cover && `${baseUrl}${coverPath(cover)}`,
    }
  })
}

function soldAs({ license_title, hd }: OrderLineState): string[] {
  return license_title === null ? [] : [`${inLine(license_title)}${hd ? ' · HD' : ''}`]
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
  const taxes = sumsOfTaxes(order).map(({ rate, net, cents }) => {
    const values = { rate: words.percent(rate), net: words.money(net, order.currency) }
    return sum(t('mails.order.confirmation.tax', values), cents, 'small')
  })
  return [
    ...(between.length > 0 ? [sum(t('mails.order.confirmation.subtotal'), order.line_items_cents), ...between] : []),
    ...(taxes.length > 0 ? [sum(t('mails.order.confirmation.without_tax'), order.net_cents, 'small'), ...taxes] : []),
    sum(t('mails.order.confirmation.total'), order.total_cents, 'strong'),
  ]
}

function shippingBy(way: string, t: Translator): string {
  return way === '' ? t('mails.order.confirmation.shipping') : t('mails.order.confirmation.shipping_by', { way })
}

/** The HTML was cleaned when the owner wrote it. */
function textParts({ title, language, mail }: ProductText): Part[] {
  const framed = html`<div lang="${language}" dir="auto" style="margin:0 0 16px">!${mail.html}</div>`
  return [heading(inLine(title)), { html: () => framed, text: mail.text }]
}
