import { fromShop, isReachable } from '#identity/companies/letterhead.mails.ts'
import { getCorrespondent } from '#identity/companies/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { heading, inLine, layOut, lines, notice, paragraph, title } from '#platform/mail/layout.ts'
import { type NewMail, queueMail } from '#platform/mail/queue.ts'
import { type OrderMailContext, readOrderMailContext } from '#selling/orders/mails/queries.ts'
import { wordingOf } from '#selling/orders/mails/templates.mails.ts'
import { wordingFor } from '#selling/orders/mails/wording.rules.ts'
import { orderName } from '#selling/orders/rules.ts'
import { findGateway, findPayment, readDueDays, readPaymentsOfOrder } from './queries.ts'
import { billEnd, endsSoon } from './rules.ts'
import type { Flag } from './state.ts'

/** Tells the owner of a payment that needs attention. */
export async function warnOfPayment(
  tx: Tx,
  companyId: number,
  { payment_id, flag }: { payment_id: number; flag: Flag },
  now: Date,
): Promise<void> {
  const company = await getCorrespondent(tx, companyId)
  const payment = await findPayment(tx, companyId, payment_id)
  if (payment === undefined || !isReachable(company)) return
  const { t, language, money } = wordingFor(company.language, company.country_code)
  const order = orderName(payment.order_id)
  const { id, gateway, reference } = payment
  const mail = layOut({
    subject: t('mails.payment_warning.subject', { order }),
    language,
    parts: [
      title(t('mails.payment_warning.title')),
      paragraph(t(`mails.payment_warning.reasons.${flag}`, { order })),
      lines([
        t('mails.payment_warning.payment', { id, amount: money(payment.paid_cents, payment.currency) }),
        ...(reference === null
          ? []
          : [t('mails.payment_warning.reference', { gateway, reference: inLine(reference) })]),
      ]),
    ],
  })
  await queueMail(tx, { companyId, to: company.email, ...mail }, now)
}

/** Tells the customer how to pay a bill. An order that is paid or cancelled by now needs no mail. */
export async function askForPayment(
  tx: Tx,
  companyId: number,
  { order_id }: { order_id: number },
  baseUrl: string,
  now: Date,
): Promise<void> {
  const context = await readOrderMailContext(tx, companyId, order_id, baseUrl)
  if (context === undefined || !context.order.customer_notification) return
  const { order } = context
  if (order.financial_status !== 'pending' || order.cancelled_at !== null) return
  const settings = await findGateway(tx, companyId, 'Manual')
  const [days, payments] = await Promise.all([
    readDueDays(tx, companyId, now),
    readPaymentsOfOrder(tx, companyId, order.id),
  ])
  const end = billEnd(order, payments, days)
  const mail = billTemplate(context, { instructions: settings?.instructions ?? '', end, now })
  await queueMail(tx, { ...mail, concerns: orderName(order.id) }, now)
}

/** How a bill is paid, and until when; null: nobody waits for it. */
type Terms = { instructions: string; end: Date | null; now: Date }

/** The mail that says how to pay a bill. */
export function billTemplate(context: OrderMailContext, { instructions: written, end, now }: Terms): NewMail {
  const { order, customer, sender } = context
  const { company, shopName } = sender
  const words = wordingOf(context)
  const { t } = words
  const name = orderName(order.id)
  const reference = t('mails.bill.reference', { order: name })
  const instructions = written.split('\n').map(inLine)
  const later = t('mails.bill.later')
  const dateOf = (time: Date) => (endsSoon(time, now) ? words.minute(time) : words.date(time))
  const country = words.country(company.country_code, company.country_code)
  return fromShop(
    { ...sender, country },
    {
      to: customer.email,
      subject: t('mails.bill.subject', { order: name, shop: inLine(shopName) }),
      language: words.language,
      title: t('mails.bill.title'),
      parts: [
        ...(order.test ? [notice(t('mails.common.test_notice'))] : []),
        paragraph(words.hello(inLine(`${customer.first_name} ${customer.last_name}`))),
        paragraph(t('mails.bill.text', { order: name, amount: words.money(order.total_cents, order.currency) })),
        ...(instructions.some((line) => line !== '')
          ? [heading(t('mails.bill.instructions')), lines([...instructions.filter((line) => line !== ''), reference])]
          : [lines([reference])]),
        paragraph(end === null ? later : `${later} ${t('mails.bill.until', { date: dateOf(end) })}`),
        ...(isReachable(company) ? [paragraph(t('mails.common.answer'))] : []),
      ],
    },
  )
}
