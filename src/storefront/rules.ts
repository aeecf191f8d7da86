import type { StoredThemeLocale } from '#theme-settings/state.ts'

/** What a shop says, and the language that it says it in. */
export type Said = { text: string; language: string }

type TextName = Exclude<keyof StoredThemeLocale, 'id' | 'language'>

/** A browser names a handful of languages. */
const HEADER_MAX = 1000

/** The languages in an Accept-Language header (RFC 9110), lower-case, the dearest first; those with a weight of 0 are left out. */
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

/** Which side of the page a language begins on. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(primary(language)) ? 'rtl' : 'ltr'
}

const primary = (language: string) => language.split('-')[0] ?? ''

/** The locales of a shop in the order in which a visitor is shown them: the own languages, English, then as they stand. */
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

/** The first of the locales that has the text; a language without texts of its own does not leave the page empty. */
export function saidIn(locales: readonly StoredThemeLocale[], name: TextName): Said | undefined {
  for (const { language, [name]: written } of locales) {
    const text = written.trim()
    if (text !== '') return { text, language }
  }
  return undefined
}

/** The host that a link leads to, for those who decide whether to follow it; undefined is a link that leads nowhere else. */
export function otherHost(address: string, host: string): string | undefined {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined
  const { hostname } = new URL(address)
  return hostname === host ? undefined : hostname
}
