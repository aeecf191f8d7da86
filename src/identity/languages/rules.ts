import { fieldRequired } from '#platform/errors/faults.ts'
import type { FieldReport } from '#platform/errors/problem.ts'
import { languageInvalid, languageTaken } from './errors.ts'
import { languageCode } from './languages.facts.ts'

/** Texts in one language, as any resource stores them. */
export type Locale = { id: number; language: string }

export type LocaleChange = { id?: number | null; language?: string | undefined; _destroy?: boolean }

const ENGLISH = 'en'

/** The locale to show: the requested language, else English, else the first one. */
export function chooseLocale<Kept extends { language: string }>(
  locales: readonly Kept[],
  language: string,
): Kept | undefined {
  const wanted = language.toLowerCase()
  return (
    locales.find((locale) => locale.language === wanted) ??
    locales.find((locale) => locale.language === ENGLISH) ??
    locales[0]
  )
}

type Titled = { title?: unknown; locales?: unknown }

/** The title of a new resource: its own, else that of a locale. The input need not have passed validation. */
export function givenTitle({ title, locales }: Titled): string {
  const titles: unknown[] = Array.isArray(locales) ? locales.map((locale: unknown) => Object(locale).title) : []
  return [title, ...titles].find((text) => typeof text === 'string' && text !== '')?.toString() ?? ''
}

export function reportMissingTitle(input: Titled, report: FieldReport): void {
  const isEmpty = input.title === undefined || input.title === ''
  if (isEmpty && givenTitle(input) === '') report.add('title', fieldRequired())
}

/**
 * Reports a code that is not the code of a language. What was stored before such codes were refused may be sent back, and
 * numbers, which do not begin with a letter, were looked up already.
 */
export function reportInvalidLanguage(
  code: string,
  stored: string | undefined,
  path: string,
  report: FieldReport,
): void {
  if (code !== stored && /^[a-z]/i.test(code) && !isLanguageTag(code)) report.add(path, languageInvalid())
}

/**
 * Merges the sent locales into the stored ones: an entry with a known id or language changes that locale, others are
 * added, and `_destroy` removes one. Locales that are not mentioned stay.
 */
export function mergeLocales<Kept extends Locale, Change extends LocaleChange>(
  kept: readonly Kept[],
  changes: readonly Change[],
  apply: (before: Kept | undefined, change: Change, identity: Locale) => Kept,
  options: { takeId: () => number; report: FieldReport; languageField: string },
): Kept[] {
  let locales = [...kept]
  for (const [index, change] of changes.entries()) {
    const language = change.language?.toLowerCase()
    const before =
      locales.find((locale) => locale.id === change.id) ?? locales.find((locale) => locale.language === language)
    const path = `locales[${index}].${options.languageField}`
    if (language !== undefined && change._destroy !== true)
      reportInvalidLanguage(language, before?.language, path, options.report)
    if (change._destroy === true) {
      locales = locales.filter((locale) => locale !== before)
    } else if (before !== undefined) {
      const taken = locales.some((locale) => locale !== before && locale.language === language)
      if (taken) options.report.add(path, languageTaken())
      const after = apply(before, change, { id: before.id, language: language ?? before.language })
      locales = locales.map((locale) => (locale === before ? after : locale))
    } else if (language === undefined) {
      options.report.add(path, fieldRequired())
    } else {
      locales.push(apply(undefined, change, { id: options.takeId(), language }))
    }
  }
  return locales
}

/** The code of a language that is given by code or by number; undefined if the number is unknown. */
export function readLanguage(given: string): string | undefined {
  return /^\d+$/.test(given) ? languageCode(Number(given)) : given.toLowerCase()
}

/** Is it a code of a language (BCP 47)? No number, date or name can be written in what only looks like one. */
export function isLanguageTag(code: string): boolean {
  try {
    return Intl.getCanonicalLocales(code).length > 0
  } catch {
    return false
  }
}

/** Names languages in a language. What is no code of a language is its own name. */
export function languageNames(language: string): (code: string) => string {
  const names = new Intl.DisplayNames([language], { type: 'language', fallback: 'code' })
  return (code) => (isLanguageTag(code) ? (names.of(code) ?? code) : code)
}
