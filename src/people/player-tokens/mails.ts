import type { Letter } from '#identity/companies/letterhead.mails.ts'
import type { Correspondent } from '#identity/companies/state.ts'
import { ownTextsIn } from '#identity/mail-texts/rules.ts'
import { SIGN_IN_LINK_MINUTES } from '#people/customers/links/rules.ts'
import { button, inLine, paragraph } from '#platform/mail/layout.ts'
import { translatorOf } from '#platform/text/messages.ts'

type Link = { appName: string; shopName: string; company: Correspondent; language: string; link: string }

/** The mail with a link that signs a customer in, and the name of the company's country in its language. */
export function signInMail({
  appName,
  shopName,
  company,
  language: asked,
  link,
}: Link): Omit<Letter, 'to'> & { country: string } {
  const t = translatorOf(asked, ownTextsIn(company, asked))
  const { language } = t
  const [app, shop] = [inLine(appName), inLine(shopName)]
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
  const country = /^[A-Z]{2}$/.test(company.country_code) ? names.of(company.country_code) : undefined
  return {
    language,
    country: country ?? company.country_code,
    subject: t('mails.app_access.subject', { shop }),
    title: t('mails.app_access.title'),
    parts: [
      paragraph(t('mails.app_access.hello')),
      paragraph(t('mails.app_access.text', { app, shop })),
      button({ label: t('mails.app_access.button'), link, hint: t('mails.app_access.hint') }),
      paragraph(`${t('mails.app_access.expires', { minutes: SIGN_IN_LINK_MINUTES })} ${t('mails.app_access.if_not')}`),
    ],
  }
}
