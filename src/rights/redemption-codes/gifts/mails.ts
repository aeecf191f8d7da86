import type { Letter } from '#identity/companies/letterhead.mails.ts'
import { button, heading, inLine, lines, notice, paragraph } from '#platform/mail/layout.ts'
import { localeOf, translatorOf } from '#platform/text/messages.ts'
import type { RedemptionCodeState } from '../state.ts'

type Gift = {
  gift: { name: string; message: string; language: string }
  code: Pick<RedemptionCodeState, 'code' | 'title' | 'expires_at'>
  shopName: string
  countryCode: string
  /** Where the code is redeemed; undefined if the company has no shop. */
  link: string | undefined
}

/** The mail that gives a code to somebody, and the name of the company's country in its language. */
export function giftMail({ gift, code, shopName, countryCode, link }: Gift): Omit<Letter, 'to'> & { country: string } {
  const t = translatorOf(gift.language)
  const { language } = t
  const name = inLine(gift.name)
  const shop = inLine(shopName)
  const title = inLine(code.title)
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
  const country = /^[A-Z]{2}$/.test(countryCode) ? names.of(countryCode) : undefined
  const until = code.expires_at?.toLocaleDateString(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' })
  return {
    language,
    country: country ?? countryCode,
    subject: t('mails.gift.subject', { shop }),
    title: t('mails.gift.title'),
    parts: [
      paragraph(name === '' ? t('mails.gift.hello') : t('mails.gift.hello_name', { name })),
      paragraph(t('mails.gift.text', { title, shop })),
      ...(gift.message === '' ? [] : [notice(gift.message)]),
      heading(t('mails.gift.code')),
      lines([code.code]),
      paragraph(t('mails.gift.redeem', { shop })),
      ...(link === undefined
        ? []
        : [button({ label: t('mails.gift.open'), link, hint: t('mails.gift.if_button_fails') })]),
      ...(until === undefined ? [] : [paragraph(t('mails.gift.until', { date: until }))]),
    ],
  }
}
