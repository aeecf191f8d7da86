import { fromShop, type Letter } from '#identity/companies/letterhead.mails.ts'
import type { Correspondent } from '#identity/companies/state.ts'
import { SIGN_IN_LINK_MINUTES } from '#people/customers/links/rules.ts'
import { button, inLine, paragraph } from '#platform/mail/layout.ts'
import type { NewMail } from '#platform/mail/queue.ts'
import { type MailWords, mailWords } from './words.ts'

/** The shop that writes, and the language of the reader. */
export type Sender = { company: Correspondent; shopName: string; language: string }

export type LinkKind = 'signIn' | 'signUp' | 'known' | 'reset' | 'newEmail'

const FOR_MINUTES: ReadonlySet<LinkKind> = new Set(['signIn', 'known'])

function countryIn(language: string, code: string): string {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
  return (/^[A-Z]{2}$/.test(code) ? names.of(code) : undefined) ?? code
}

/** The mail belongs to no company: a company that could read it could act for the customer. */
function fromSender({ company, shopName }: Sender, { language }: MailWords, letter: Omit<Letter, 'language'>): NewMail {
  const country = countryIn(language, company.country_code)
  return { ...fromShop({ company, shopName, country }, { ...letter, language }), companyId: null }
}

/** A mail with a link about an account. */
export function linkMail(sender: Sender, kind: LinkKind, to: string, link: string): NewMail {
  const words = mailWords(sender.language)
  const { subject, title, text, button: label } = words[kind](inLine(sender.shopName))
  const time = FOR_MINUTES.has(kind) ? words.minutes(SIGN_IN_LINK_MINUTES) : words.day
  const parts = [
    paragraph(words.hello),
    paragraph(text),
    button({ label, link, hint: words.hint }),
    paragraph(`${time} ${words.ignore}`),
  ]
  return { ...fromSender(sender, words, { to, subject, title, parts }), carriesSecret: true }
}

/** Informs the owner of an account about a change, at the address that it had before. */
export function changedMail(sender: Sender, what: 'password' | 'email', email: string): NewMail {
  const words = mailWords(sender.language)
  const { subject, text, ifNot } = words.changed(inLine(sender.shopName), inLine(email))[what]
  const parts = [paragraph(words.hello), paragraph(text), paragraph(ifNot)]
  return fromSender(sender, words, { to: email, subject, title: subject, parts })
}
