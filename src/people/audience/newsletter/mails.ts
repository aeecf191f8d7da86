import { fromShop } from '#identity/companies/letterhead.mails.ts'
import { ownTextsIn } from '#identity/mail-texts/rules.ts'
import { button, footnote, inLine, type Part, paragraph } from '#platform/mail/layout.ts'
import type { NewMail } from '#platform/mail/queue.ts'
import { localeOf, translatorOf } from '#platform/text/messages.ts'
import type { NewsRecipientState } from '../news-recipients/state.ts'
import type { Sender } from './queries.ts'

type Recipient = Pick<NewsRecipientState, 'email' | 'language'>
type Letter = { subject: string; title: string; parts: Part[]; unsubscribe: string }

/** Asks the reader of an address to confirm the newsletter. It may be a stranger, so the mail says nothing else. */
export function confirmationMail(
  recipient: Recipient,
  sender: Sender,
  links: { confirm: string; unsubscribe: string; expires: Date },
): NewMail {
  const t = translatorOf(recipient.language, ownTextsIn(sender.company, recipient.language))
  const shop = inLine(sender.shopName)
  const date = links.expires.toLocaleDateString(localeOf(t.language), { dateStyle: 'long', timeZone: 'UTC' })
  return toRecipient(recipient, sender, {
    subject: t('mails.newsletter.subject', { shop }),
    title: t('mails.newsletter.title'),
    parts: [
      paragraph(t('mails.newsletter.hello')),
      paragraph(t('mails.newsletter.text', { shop })),
      button({ label: t('mails.newsletter.button'), link: links.confirm, hint: t('mails.newsletter.hint') }),
      paragraph(`${t('mails.newsletter.expires', { date })} ${t('mails.newsletter.if_not')}`),
    ],
    unsubscribe: links.unsubscribe,
  })
}

/** A mail to a recipient, with the link to leave in its text and for mail programs that show a button for it. */
export function toRecipient(
  { email, language: asked }: Recipient,
  sender: Sender,
  { subject, title, parts, unsubscribe }: Letter,
): NewMail {
  const { company } = sender
  const t = translatorOf(asked, ownTextsIn(company, asked))
  const { language } = t
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
  const country = /^[A-Z]{2}$/.test(company.country_code) ? names.of(company.country_code) : undefined
  const letter = {
    to: email,
    language,
    subject,
    title,
    parts: [...parts, footnote(t('mails.newsletter.leave'), unsubscribe)],
  }
  return {
    ...fromShop({ ...sender, country: country ?? company.country_code }, letter),
    unsubscribeUrl: unsubscribe,
  }
}
