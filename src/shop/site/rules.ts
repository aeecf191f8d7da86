import { CURRENCY_CODES } from '#catalog/currency-rates/currencies.facts.ts'
import { recommendedDomain } from '#catalog/theme-settings/domains.rules.ts'
import { SHOP_TEXTS } from '#catalog/theme-settings/rules.ts'
import type { PageLocale, Shop, ShopTextName } from '#catalog/theme-settings/state.ts'
import { COUNTRY_CODES, countryDetails } from '#identity/addresses/countries.facts.ts'
import { isLanguageTag } from '#identity/languages/rules.ts'
import { primaryLanguage } from '#platform/text/accepted-languages.ts'
import { OWN_HOST, ownHost } from '#platform/wire/own-address.ts'
import type { Preferences } from './state.ts'

/** A text of a shop, and its language. */
export type LocalizedText = { text: string; language: string }

type TextName = Exclude<keyof PageLocale, 'id' | 'language' | 'written'>

const RIGHT_TO_LEFT = new Set(['ar', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi'])

/** The writing direction of a language. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(primaryLanguage(language)) ? 'rtl' : 'ltr'
}

/** Texts in the visitor's order of preference: the visitor's languages, English, then as stored. */
export function inOrder<Text extends { language: string }>(
  locales: readonly Text[],
  accepted: readonly string[],
): readonly Text[] {
  if (locales.length < 2) return locales
  const places = new Map(locales.map(({ language }) => [language, placeOf(language, accepted)]))
  const place = ({ language }: Text) => places.get(language) ?? LAST
  return locales.toSorted((one, other) => place(one) - place(other))
}

const LAST = Number.MAX_SAFE_INTEGER

/** The place of a language among those that are wanted: the same region comes before another region. */
function placeOf(language: string, accepted: readonly string[]): number {
  for (const [index, asked] of [...accepted, 'en'].entries()) {
    if (language === asked) return 2 * index
    if (primaryLanguage(language) === primaryLanguage(asked)) return 2 * index + 1
  }
  return LAST
}

/** The text from the first locale that has it, so that a locale without texts does not leave the page empty. */
export function textIn<Name extends string, Text extends { language: string } & { [Key in Name]: string | null }>(
  locales: readonly Text[],
  name: Name,
): LocalizedText | undefined {
  for (const locale of locales) {
    const text = (locale[name] ?? '').trim()
    if (text !== '') return { text, language: locale.language }
  }
  return undefined
}

/** The text of a shop in the visitor's language, as far as it exists. */
export function shopText(shop: Shop, languages: readonly string[], name: TextName): LocalizedText | undefined {
  return textIn(inOrder(shop.locales, languages), name)
}

/** The texts of a shop that have a page, because the owner has written them in some language. */
export function writtenTexts({ locales }: Pick<Shop, 'locales'>): ShopTextName[] {
  return SHOP_TEXTS.filter((text) => locales.some(({ written }) => written.includes(text)))
}

/** The languages that a shop is shown in: those that its owner has written texts in. */
export function languagesOf(shop: Pick<Shop, 'locales'>): string[] {
  const codes = shop.locales.map(({ language }) => language).filter(isLanguageTag)
  return codes.length === 0 ? ['en'] : codes
}

/** The language of the shop that suits the visitor best; English or the first one if none does. */
export function chooseLanguage(offered: readonly string[], wanted: readonly string[]): string {
  const [best] = inOrder(
    offered.map((language) => ({ language })),
    wanted,
  )
  return best?.language ?? 'en'
}

/** The country in a list of accepted languages, such as AT in `de-AT`; undefined if none names one. */
export function countryOf(accepted: readonly string[]): string | undefined {
  return accepted.map((language) => language.split('-').slice(1).at(-1)?.toUpperCase() ?? '').find(isCountry)
}

export function isCountry(code: string): boolean {
  return code.length === 2 && COUNTRY_CODES.has(code)
}

/** The currency that prices are shown in: the chosen one, the one of the country, or the one of the company. */
export function chooseCurrency(offered: readonly string[], chosen: string, country: string, own: string): string {
  const local = isCountry(country) ? countryDetails(country).Currency : ''
  return [chosen, local, own].find((code) => offered.includes(code)) ?? offered[0] ?? own
}

/** The choices in a cookie, such as `de.AT.EUR`. The cookie comes from outside, so what is no choice is left out. */
export function readPreferences(cookie: string | undefined): Preferences {
  const [language = '', country = '', currency = ''] = (cookie ?? '').slice(0, 40).split('.')
  return {
    language: /^[a-z]{2,3}(-[a-z0-9]{2,8})?$/.test(language) ? language : '',
    country: isCountry(country) ? country : '',
    currency: CURRENCY_CODES.has(currency) ? currency : '',
  }
}

export function writePreferences({ language, country, currency }: Preferences): string {
  return [language, country, currency].join('.')
}

/** The page of the shop that a form asks to return to. An address outside the shop leads to its home page. */
export function returnPath(base: string, asked: string): string {
  const home = `${base}/`
  const origin = 'http://shop.invalid'
  const url = asked.startsWith('/') ? URL.parse(asked, origin) : null
  if (url === null || url.origin !== origin) return home
  // A path with two slashes at its beginning would be another host to a browser.
  if (url.pathname.startsWith('//') || !(url.pathname === base || url.pathname.startsWith(home))) return home
  return `${url.pathname}${url.search}`
}

/** The host that a link leads to, shown beside the link; undefined for a link to the same host. */
export function otherHost(address: string, host: string): string | undefined {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined
  const { hostname } = new URL(address)
  return hostname === host ? undefined : hostname
}

/** The address under which search engines are to know the shop: its recommended domain. */
export function shopOrigin(shop: Pick<Shop, 'hosts'>, baseUrl: string): string {
  const none = { sub_domain: '', vanity_domain: '', shop_domain: '', access_domain: '' }
  const host = recommendedDomain({ ...none, ...shop.hosts }).replace(OWN_HOST, ownHost(baseUrl))
  const { protocol, port } = new URL(baseUrl)
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`
}

const OUR_PROTOCOLS = /^https?:$/

/**
 * Does a form come from a page of the same host? Pages have no CSRF token, so that they can be cached. Browsers say where
 * a form comes from, and no page of another site can change what they say.
 */
export function isFromSamePage(headers: Headers, host: string): boolean {
  if (headers.site !== undefined) return headers.site === 'same-origin'
  const origin = URL.parse(headers.origin ?? '')
  return origin !== null && OUR_PROTOCOLS.test(origin.protocol) && origin.host === host.toLowerCase()
}

type Headers = { site: string | undefined; origin: string | undefined }
