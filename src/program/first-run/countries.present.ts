import { COUNTRY_CODES, countryDetails } from '#identity/addresses/countries.facts.ts'

/** The countries in the form, by name. The form is shown once in the life of a shop, so the names are sorted then. */
export function countryChoices(): { code: string; name: string }[] {
  return [...COUNTRY_CODES]
    .map((code) => ({ code, name: countryDetails(code).Country }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))
}

/** The currency of a country, dollars if it has none of its own; undefined for an unknown code. */
export function currencyOf(code: string): string | undefined {
  return COUNTRY_CODES.has(code) ? countryDetails(code).Currency || 'USD' : undefined
}
