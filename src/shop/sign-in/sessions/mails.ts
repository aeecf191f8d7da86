import { fromShop, type Letter, type Shop } from '#identity/companies/letterhead.mails.ts'
import { ownTextsIn } from '#identity/mail-texts/rules.ts'
import { DELETION_LINK_MINUTES, SIGN_IN_LINK_MINUTES } from '#people/customers/links/rules.ts'
import { button, inLine, paragraph } from '#platform/mail/layout.ts'
import type { NewMail } from '#platform/mail/queue.ts'
import { languageOf, translatorOf } from '#platform/text/messages.ts'

/** The shop that writes, and the language of the reader. */
export type Sender = Omit<Shop, 'country'> & { language: string }

export type LinkKind = 'sign_in' | 'sign_up' | 'known' | 'reset' | 'new_email' | 'deletion'

/** How long the links work; the others work for a day. */
const MINUTES: Partial<Record<LinkKind, number>> = {
  sign_in: SIGN_IN_LINK_MINUTES,
  known: SIGN_IN_LINK_MINUTES,
  deletion: DELETION_LINK_MINUTES,
}

function countryIn(language: string, code: string): string {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
  return (/^[A-Z]{2}$/.test(code) ? names.of(code) : undefined) ?? code
}

/** The mail belongs to no company: a company that could read it could act for the customer. */
function fromSender({ language: asked, ...shop }: Sender, letter: Omit<Letter, 'language'>): NewMail {
  const language = languageOf(asked)
  const country = countryIn(language, shop.company.country_code)
  return { ...fromShop({ ...shop, country }, { ...letter, language }), companyId: null }
}

/** A mail with a link about an account. */
export function linkMail(sender: Sender, kind: LinkKind, to: string, link: string): NewMail {
  const t = translatorOf(sender.language, ownTextsIn(sender.company, sender.language))
  const shop = inLine(sender.shopName)
  const subject = t(`mails.account.${kind}.subject`, { shop })
  const title = t(`mails.account.${kind}.title`)
  const minutes = MINUTES[kind]
  const time = minutes === undefined ? t('mails.account.day') : t('mails.account.minutes', { minutes })
  const parts = [
    paragraph(t('mails.account.hello')),
    paragraph(t(`mails.account.${kind}.text`, { shop })),
    button({ label: t(`mails.account.${kind}.button`), link, hint: t('mails.account.hint') }),
    paragraph(`${time} ${t('mails.account.ignore')}`),
  ]
  return { ...fromSender(sender, { to, subject, title, parts }), carriesSecret: true }
}

/** Informs the owner of an account about a change, at the address that it had before. */
export function changedMail(sender: Sender, what: 'password' | 'email', email: string): NewMail {
  const t = translatorOf(sender.language, ownTextsIn(sender.company, sender.language))
  const shop = inLine(sender.shopName)
  const subject = t(`mails.account.changed.${what}.subject`)
  const parts = [
    paragraph(t('mails.account.hello')),
    paragraph(t(`mails.account.changed.${what}.text`, { shop, email: inLine(email) })),
    paragraph(t(`mails.account.changed.${what}.if_not`, { shop })),
  ]
  return fromSender(sender, { to: email, subject, title: subject, parts })
}
