import { COUNTRY_CODES, countryDetails } from '#identity/addresses/countries.facts.ts'
import { localeOf } from '#platform/text/messages.ts'

/** The countries in the form, by name. The form is shown once in the life of a shop, so the names are sorted then. */
export function countryChoices(language: string): { code: string; name: string }[] {
  const names = new Intl.DisplayNames([localeOf(language)], { type: 'region' })
  const { compare } = new Intl.Collator(localeOf(language))
  return [...COUNTRY_CODES]
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((one, other) => compare(one.name, other.name))
}

/** The currency of a country, dollars if it has none of its own; undefined for an unknown code. */
export function currencyOf(code: string): string | undefined {
  return COUNTRY_CODES.has(code) ? countryDetails(code).Currency || 'USD' : undefined
}
