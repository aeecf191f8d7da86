import { fromShop, isReachable } from '#identity/companies/letterhead.mails.ts'
import { getCorrespondent } from '#identity/companies/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { heading, inLine, layOut, lines, notice, paragraph, title } from '#platform/mail/layout.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { readOrderMailContext } from '#selling/orders/mails/queries.ts'
import { wordsFor } from '#selling/orders/mails/words.ts'
import { orderName } from '#selling/orders/rules.ts'
import { findGateway, findPayment, readDueDays, readPaymentsOfOrder } from './queries.ts'
import { billEnd, endsSoon } from './rules.ts'
import type { Flag } from './state.ts'
import { paymentWords } from './words.ts'

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
  const { warning, language } = paymentWords(company.language)
  const { money } = wordsFor(company.language, company.country_code)
  const name = orderName(payment.order_id)
  const { gateway, reference } = payment
  const mail = layOut({
    subject: warning.subject(name),
    language,
    parts: [
      title(warning.title),
      paragraph(warning.reasons[flag](name)),
      lines([
        warning.payment(payment.id, money(payment.paid_cents, payment.currency)),
        ...(reference === null ? [] : [warning.reference(gateway, inLine(reference))]),
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
  now: Date,
): Promise<void> {
  const context = await readOrderMailContext(tx, companyId, order_id)
  if (context === undefined) return
  const { order, customer, company, shopName } = context
  if (order.financial_status !== 'pending' || order.cancelled_at !== null) return
  const settings = await findGateway(tx, companyId, 'Manual')
  const [days, payments] = await Promise.all([
    readDueDays(tx, companyId, now),
    readPaymentsOfOrder(tx, companyId, order.id),
  ])
  const end = billEnd(order, payments, days)
  const words = wordsFor(customer.language, order.country_code)
  const { bill } = paymentWords(customer.language)
  const name = orderName(order.id)
  const instructions = (settings?.instructions ?? '').split('\n').map(inLine)
  const sender = { company, shopName, country: words.country(company.country_code, company.country_code) }
  const mail = fromShop(sender, {
    to: customer.email,
    subject: bill.subject(name, inLine(shopName)),
    language: words.language,
    title: bill.title,
    parts: [
      ...(order.test ? [notice(words.phrases.testNotice)] : []),
      paragraph(words.phrases.hello(inLine(`${customer.first_name} ${customer.last_name}`))),
      paragraph(bill.text(name, words.money(order.total_cents, order.currency))),
      ...(instructions.some((line) => line !== '')
        ? [heading(bill.instructions), lines([...instructions.filter((line) => line !== ''), bill.name(name)])]
        : [lines([bill.name(name)])]),
      paragraph(
        end === null
          ? bill.later
          : `${bill.later} ${bill.until(endsSoon(end, now) ? words.minute(end) : words.date(end))}`,
      ),
      ...(isReachable(company) ? [paragraph(words.phrases.answer)] : []),
    ],
  })
  await queueMail(tx, mail, now)
}
