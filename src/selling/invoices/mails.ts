import { fromShop, isReachable } from '#identity/companies/letterhead.mails.ts'
import { getCorrespondent } from '#identity/companies/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { button, inLine, layOut, paragraph, title } from '#platform/mail/layout.ts'
import { type NewMail, queueMail } from '#platform/mail/queue.ts'
import { translatorOf } from '#platform/text/messages.ts'
import { type OrderMailContext, readOrderMailContext } from '#selling/orders/mails/queries.ts'
import { wordingOf } from '#selling/orders/mails/templates.mails.ts'
import { orderName } from '#selling/orders/rules.ts'
import type { InvoiceKind, InvoiceState } from './state.ts'

/** Tells the owner that an invoice or a credit note could not be made, and is tried again. */
export async function warnOfFailure(
  tx: Tx,
  companyId: number,
  kind: InvoiceKind,
  orderId: number,
  now: Date,
): Promise<void> {
  const company = await getCorrespondent(tx, companyId)
  if (!isReachable(company)) return
  const t = translatorOf(company.language)
  const { language } = t
  const subject = t(`mails.invoice_failure.${kind}`, { order: orderName(orderId) })
  const parts = [
    title(subject),
    paragraph(t('mails.invoice_failure.retried')),
    paragraph(t('mails.invoice_failure.remedy')),
  ]
  await queueMail(tx, { companyId, to: company.email, ...layOut({ subject, language, parts }) }, now)
}

/** Sends the customer the link to an invoice, unless notifications are off. */
export async function mailInvoice(
  tx: Tx,
  invoice: InvoiceState,
  { baseUrl, path }: { baseUrl: string; path: string },
  now: Date,
): Promise<void> {
  const context = await readOrderMailContext(tx, invoice.company_id, invoice.order_id, baseUrl)
  if (context === undefined || !context.order.customer_notification) return
  const mail = invoiceTemplate(context, invoice.number, `${baseUrl}${path}`)
  await queueMail(tx, { ...mail, concerns: orderName(context.order.id) }, now)
}

/** The mail with the link to an invoice. */
export function invoiceTemplate(context: OrderMailContext, number: string, link: string): NewMail {
  const { order, customer, sender } = context
  const { company, shopName } = sender
  const words = wordingOf(context)
  const { t } = words
  const country = words.country(company.country_code, company.country_code)
  return fromShop(
    { ...sender, country },
    {
      to: customer.email,
      subject: t('mails.invoice.subject', { number, shop: inLine(shopName) }),
      language: words.language,
      title: `${t('invoices.invoice')} ${inLine(number)}`,
      parts: [
        paragraph(words.hello(inLine(`${customer.first_name} ${customer.last_name}`))),
        paragraph(t('mails.invoice.text', { order: orderName(order.id) })),
        button({
          label: t('mails.invoice.open'),
          link,
          hint: t('mails.common.if_button_fails'),
        }),
        ...(isReachable(company) ? [paragraph(t('mails.common.answer'))] : []),
      ],
    },
  )
}
