import { fromShop, isReachable, type Shop } from '#identity/companies/letterhead.mails.ts'
import { ownTextsIn } from '#identity/mail-texts/rules.ts'
import { bill, button, footnote, inLine, paragraph } from '#platform/mail/layout.ts'
import type { NewMail } from '#platform/mail/queue.ts'
import { zip } from '#platform/wire/zip.ts'
import { wordingFor } from '#selling/orders/mails/wording.rules.ts'
import type { Summary, SummaryLine } from '../summary.present.ts'
import type { Reminded } from './state.ts'

export type ReminderContext = {
  /** The shop in the language of the recipient. */
  sender: Omit<Shop, 'country'>
  recipient: Reminded
  country: string
  summary: Pick<Summary, 'currency' | 'total'> & {
    lines: readonly Pick<SummaryLine, 'title' | 'terms' | 'quantity' | 'total'>[]
  }
  /** The addresses of the pictures of the lines, in their order. */
  pictures: (string | undefined)[]
  cartUrl: string
  stopUrl: string
}

/** The mail that reminds somebody of a cart: what is in it, and the way back to it. */
export function reminderMail(context: ReminderContext): NewMail {
  const { sender, recipient, country, summary, pictures, cartUrl, stopUrl } = context
  const { company } = sender
  const words = wordingFor(recipient.language, country, ownTextsIn(company, recipient.language))
  const { t } = words
  const shopName = inLine(sender.shopName)
  const money = (cents: number) => words.money(cents, summary.currency)
  const rows = zip(summary.lines, pictures).map(([{ title, terms, quantity, total }, picture]) => ({
    name: quantity > 1 ? `${words.number(quantity)} × ${inLine(title)}` : inLine(title),
    details: terms === '' ? [] : [inLine(terms)],
    amount: money(total),
    picture,
  }))
  const mail = fromShop(
    { ...sender, country: words.country(company.country_code, company.country_code) },
    {
      to: recipient.email,
      subject: t('mails.reminder.subject', { shop: shopName }),
      language: words.language,
      title: t('mails.reminder.title'),
      parts: [
        paragraph(words.hello(inLine(recipient.name))),
        paragraph(t('mails.reminder.text')),
        bill(rows, [{ label: t('mails.order.confirmation.total'), amount: money(summary.total), weight: 'strong' }]),
        button({
          label: t('mails.reminder.button'),
          link: cartUrl,
          hint: t('mails.common.if_button_fails'),
        }),
        ...(isReachable(company) ? [paragraph(t('mails.common.answer'))] : []),
        footnote(t('mails.reminder.stop', { shop: shopName }), stopUrl),
      ],
    },
  )
  return { ...mail, unsubscribeUrl: stopUrl }
}
