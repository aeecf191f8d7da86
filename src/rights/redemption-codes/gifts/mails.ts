import type { Letter } from '#identity/companies/letterhead.mails.ts'
import { button, heading, inLine, lines, notice, paragraph } from '#platform/mail/layout.ts'
import type { RedemptionCodeState } from '../state.ts'
import { giftWords } from './words.ts'

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
  const words = giftWords(gift.language)
  const { language, region } = words
  const shop = inLine(shopName)
  const title = inLine(code.title)
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
  const country = /^[A-Z]{2}$/.test(countryCode) ? names.of(countryCode) : undefined
  const until = code.expires_at?.toLocaleDateString(`${language}-${region}`, { dateStyle: 'long', timeZone: 'UTC' })
  return {
    language,
    country: country ?? countryCode,
    subject: words.subject(shop),
    title: words.title,
    parts: [
      paragraph(words.hello(inLine(gift.name))),
      paragraph(words.text(title, shop)),
      ...(gift.message === '' ? [] : [notice(gift.message)]),
      heading(words.code),
      lines([code.code]),
      paragraph(words.redeem(shop)),
      ...(link === undefined ? [] : [button({ label: words.open, link, hint: words.ifButtonFails })]),
      ...(until === undefined ? [] : [paragraph(words.until(until))]),
    ],
  }
}
