import { mediumOf } from '#catalog/products/types.facts.ts'
import type { Letter } from '#identity/companies/letterhead.mails.ts'
import type { Correspondent } from '#identity/companies/state.ts'
import { ownTextsIn } from '#identity/mail-texts/rules.ts'
import { button, card, inLine, notice, paragraph, pictured, smallPrint } from '#platform/mail/layout.ts'
import { localeOf, translatorOf } from '#platform/text/messages.ts'
import { codeInWords } from '../sentences.rules.ts'
import type { GiftState, RedemptionCodeState } from '../state.ts'

type Gift = {
  gift: Pick<GiftState, 'name' | 'giver' | 'message' | 'language'>
  code: Pick<
    RedemptionCodeState,
    | 'code'
    | 'title'
    | 'expires_at'
    | 'terms'
    | 'num_users'
    | 'contents'
    | 'test'
    | 'group_id'
    | 'member_until'
    | 'member_days'
  >
  shopName: string
  company: Correspondent
  /** The page on which the gift is accepted; undefined if the company has no shop. */
  link: string | undefined
  picture: string | undefined
}

const KINDS = ['film', 'audio', 'book', 'software'] as const

/** The mail that gives a code to somebody, and the name of the company's country in its language. */
export function giftMail({
  gift,
  code,
  shopName,
  company,
  link,
  picture,
}: Gift): Omit<Letter, 'to'> & { country: string } {
  const t = translatorOf(gift.language, ownTextsIn(company, gift.language))
  const { language } = t
  const [name, giver, shop, title] = [inLine(gift.name), inLine(gift.giver), inLine(shopName), inLine(code.title)]
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
  const country = /^[A-Z]{2}$/.test(company.country_code) ? names.of(company.country_code) : undefined
  const inWords = (time: Date) => time.toLocaleDateString(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' })
  const type = code.contents[0]?.product_type ?? 0
  const terms = codeInWords(code, language, inWords)
  const kind = KINDS.find((known) => known === mediumOf(type)) ?? 'other'
  return {
    language,
    country: country ?? company.country_code,
    subject: giver === '' ? t('mails.gift.subject', { shop }) : t('mails.gift.subject_from', { giver }),
    title: giver === '' ? t('mails.gift.title') : t(`mails.gift.sent.${kind}`, { giver }),
    preview: title,
    parts: [
      ...(code.test ? [notice(t('mails.common.test_notice'))] : []),
      paragraph(name === '' ? t('mails.gift.hello') : t('mails.gift.hello_name', { name })),
      paragraph(t('mails.gift.text', { title, shop })),
      ...(gift.message === '' ? [] : [card(gift.message)]),
      pictured({ title, text: terms.join(' '), picture }),
      ...(link === undefined ? [] : [button({ label: t('mails.gift.open'), link }), smallPrint(t('mails.gift.needs'))]),
      ...(code.expires_at === null ? [] : [smallPrint(t('mails.gift.until', { date: inWords(code.expires_at) }))]),
      smallPrint(t('mails.gift.redeem', { shop, code: code.code })),
      ...(giver === '' ? [] : [smallPrint(t('mails.gift.why', { giver }))]),
    ],
  }
}
