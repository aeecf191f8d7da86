import type { Letter } from '#identity/companies/letterhead.mails.ts'
import { SIGN_IN_LINK_MINUTES } from '#people/customers/links/rules.ts'
import { button, inLine, paragraph } from '#platform/mail/layout.ts'
import { playerWords } from './words.ts'

type Link = { appName: string; shopName: string; countryCode: string; language: string; link: string }

/** The mail with a link that signs a customer in, and the name of the company's country in its language. */
export function signInMail({
  appName,
  shopName,
  countryCode,
  language: asked,
  link,
}: Link): Omit<Letter, 'to'> & { country: string } {
  const { language, mail } = playerWords(asked)
  const [app, shop] = [inLine(appName), inLine(shopName)]
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
  const country = /^[A-Z]{2}$/.test(countryCode) ? names.of(countryCode) : undefined
  return {
    language,
    country: country ?? countryCode,
    subject: mail.subject(shop),
    title: mail.title,
    parts: [
      paragraph(mail.hello),
      paragraph(mail.text(app, shop)),
      button({ label: mail.button, link, hint: mail.hint }),
      paragraph(`${mail.expires(SIGN_IN_LINK_MINUTES)} ${mail.ifNot}`),
    ],
  }
}
