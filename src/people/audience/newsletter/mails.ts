import { fromShop } from '#identity/companies/letterhead.mails.ts'
import { button, footnote, inLine, type Part, paragraph } from '#platform/mail/layout.ts'
import type { NewMail } from '#platform/mail/queue.ts'
import type { NewsRecipientState } from '../news-recipients/state.ts'
import type { Sender } from './queries.ts'
import { newsletterWords, type Words } from './words.ts'

type Letter = { subject: string; title: string; parts: Part[]; unsubscribe: string }

/** Asks the reader of an address to confirm the newsletter. It may be a stranger, so the mail says nothing else. */
export function confirmationMail(
  recipient: NewsRecipientState,
  sender: Sender,
  links: { confirm: string; unsubscribe: string; expires: Date },
): NewMail {
  const words = newsletterWords(recipient.language)
  const shop = inLine(sender.shopName)
  const expires = links.expires.toLocaleDateString(`${words.language}-${words.region}`, {
    dateStyle: 'long',
    timeZone: 'UTC',
  })
  return toRecipient(recipient, sender, words, {
    subject: words.mail.subject(shop),
    title: words.mail.title,
    parts: [
      paragraph(words.mail.hello),
      paragraph(words.mail.text(shop)),
      button({ label: words.mail.button, link: links.confirm, hint: words.mail.hint }),
      paragraph(`${words.mail.expires(expires)} ${words.mail.ifNot}`),
    ],
    unsubscribe: links.unsubscribe,
  })
}

/** A mail to a recipient, with the link to leave in its text and for mail programs that show a button for it. */
export function toRecipient(
  { email }: NewsRecipientState,
  { company, shopName }: Sender,
  { language, mail: { leave } }: Words,
  { subject, title, parts, unsubscribe }: Letter,
): NewMail {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
  const country = /^[A-Z]{2}$/.test(company.country_code) ? names.of(company.country_code) : undefined
  const letter = { to: email, language, subject, title, parts: [...parts, footnote(leave, unsubscribe)] }
  return {
    ...fromShop({ company, shopName, country: country ?? company.country_code }, letter),
    unsubscribeUrl: unsubscribe,
  }
}
