import { COUNTRY_CODES } from '#identity/addresses/countries.facts.ts'

export type NamedCountry = { code: string; name: string }

/** Sorting 250 names takes a while, and shops have few languages. */
const known = new Map<string, readonly NamedCountry[]>()
const KNOWN_MAX = 100

function namesIn(language: string): Intl.DisplayNames {
  try {
    return new Intl.DisplayNames([language, 'en'], { type: 'region' })
  } catch {
    return new Intl.DisplayNames(['en'], { type: 'region' })
  }
}

/** All countries in the order of their names in a language. */
export function countriesIn(language: string): readonly NamedCountry[] {
  const before = known.get(language)
  if (before !== undefined) return before
  if (known.size >= KNOWN_MAX) known.clear()
  const names = namesIn(language)
  const { compare } = new Intl.Collator(language === '' ? 'en' : language)
  const countries = [...COUNTRY_CODES]
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((one, other) => compare(one.name, other.name))
  known.set(language, countries)
  return countries
}

export function nameOfCountry(code: string, language: string): string {
  return countriesIn(language).find((country) => country.code === code)?.name ?? code
}

export function isCountry(code: string): boolean {
  return COUNTRY_CODES.has(code)
}
