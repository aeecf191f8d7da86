import { fromShop, isReachable } from '#companies/letterhead.ts'
import { readOrderMailContext } from '#orders/mails/queries.ts'
import { wordsFor } from '#orders/mails/words.ts'
import { orderName } from '#orders/rules.ts'
import type { Tx } from '#platform/db/database.ts'
import { button, inLine, paragraph } from '#platform/mail/layout.ts'
import { queueMail } from '#platform/mail/queue.ts'
import type { InvoiceState } from './state.ts'
import { invoiceWords } from './words.ts'

/** Sends the customer the link to an invoice, unless notifications are off. */
export async function mailInvoice(tx: Tx, invoice: InvoiceState, link: string, now: Date): Promise<void> {
  const context = await readOrderMailContext(tx, invoice.company_id, invoice.order_id)
  if (context === undefined) return
  const { order, customer, company, shopName } = context
  const words = wordsFor(customer.language, order.country_code)
  const { mailSubject, mailText, open, invoice: title } = invoiceWords(customer.language)
  const sender = { company, shopName, country: words.country(company.country_code, company.country_code) }
  const mail = fromShop(sender, {
    to: customer.email,
    subject: mailSubject(invoice.number, inLine(shopName)),
    language: words.language,
    title: `${title} ${inLine(invoice.number)}`,
    parts: [
      paragraph(words.phrases.hello(inLine(`${customer.first_name} ${customer.last_name}`))),
      paragraph(mailText(orderName(order.id))),
      button({ label: open, link, hint: words.phrases.ifButtonFails }),
      ...(isReachable(company) ? [paragraph(words.phrases.answer)] : []),
    ],
  })
  await queueMail(tx, mail, now)
}
