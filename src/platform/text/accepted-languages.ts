import { isTranslated } from './messages.ts'

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

/** The language without the region: `de` of `de-CH`. */
export function primaryLanguage(language: string): string {
  const end = language.indexOf('-')
  return end < 0 ? language : language.slice(0, end)
}

/** The first language of an Accept-Language header that has messages. */
export function translatedLanguage(header: string): string | undefined {
  return acceptedLanguages(header).map(primaryLanguage).find(isTranslated)
}
