import type { StoredThemeLocale } from '#theme-settings/state.ts'

/** A text of a shop, and its language. */
export type LocalizedText = { text: string; language: string }

type TextName = Exclude<keyof StoredThemeLocale, 'id' | 'language'>

/** Browsers send a handful of languages. */
const HEADER_MAX = 1000

/** The languages in an Accept-Language header (RFC 9110), lower-case, preferred first, without those of weight 0. */
export function acceptedLanguages(header: string): string[] {
  return header
    .slice(0, HEADER_MAX)
    .toLowerCase()
    .split(',')
    .flatMap((part) => {
      const [, language, weight] = /^\s*([a-z]{1,8}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q=([\d.]+)\s*)?$/.exec(part) ?? []
      const value = weight === undefined ? 1 : Number(weight)
      return language === undefined || !(value > 0) ? [] : [{ language, value }]
    })
    .sort((a, b) => b.value - a.value)
    .map(({ language }) => language)
}

const RIGHT_TO_LEFT = new Set(['ar', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi'])

/** The writing direction of a language. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(primary(language)) ? 'rtl' : 'ltr'
}

const primary = (language: string) => language.split('-')[0] ?? ''

/** The locales of a shop in the visitor's order of preference: the visitor's languages, English, then as stored. */
export function inOrder(
  locales: readonly StoredThemeLocale[],
  accepted: readonly string[],
): readonly StoredThemeLocale[] {
  const wanted = [...accepted, 'en'].flatMap((asked) => [
    ...locales.filter(({ language }) => language === asked),
    ...locales.filter(({ language }) => primary(language) === primary(asked)),
  ])
  return [...new Set([...wanted, ...locales])]
}

/** The text from the first locale that has it, so that a locale without texts does not leave the page empty. */
export function textIn(locales: readonly StoredThemeLocale[], name: TextName): LocalizedText | undefined {
  for (const { language, [name]: written } of locales) {
    const text = written.trim()
    if (text !== '') return { text, language }
  }
  return undefined
}

/** The host that a link leads to, shown beside the link; undefined for a link to the same host. */
export function otherHost(address: string, host: string): string | undefined {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined
  const { hostname } = new URL(address)
  return hostname === host ? undefined : hostname
}
