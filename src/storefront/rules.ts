import { primaryLanguage } from '#locales/rules.ts'
import type { StoredThemeLocale } from '#theme-settings/state.ts'

/** A text of a shop, and its language. */
export type LocalizedText = { text: string; language: string }

type TextName = Exclude<keyof StoredThemeLocale, 'id' | 'language'>

const RIGHT_TO_LEFT = new Set(['ar', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi'])

/** The writing direction of a language. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(primaryLanguage(language)) ? 'rtl' : 'ltr'
}

/** The locales of a shop in the visitor's order of preference: the visitor's languages, English, then as stored. */
export function inOrder(
  locales: readonly StoredThemeLocale[],
  accepted: readonly string[],
): readonly StoredThemeLocale[] {
  const wanted = [...accepted, 'en'].flatMap((asked) => [
    ...locales.filter(({ language }) => language === asked),
    ...locales.filter(({ language }) => primaryLanguage(language) === primaryLanguage(asked)),
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
