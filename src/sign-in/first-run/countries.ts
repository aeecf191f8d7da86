import { COUNTRY_CODES, countryDetails } from '#companies/countries.ts'

/** The countries in the form, by name. A country without a currency of its own sells in dollars. */
export const COUNTRIES = [...COUNTRY_CODES]
  .map((code) => ({ code, name: countryDetails(code).Country }))
  .sort((one, other) => one.name.localeCompare(other.name, 'en'))

/** The currency of a country; undefined for an unknown code. */
export function currencyOf(code: string): string | undefined {
  return COUNTRY_CODES.has(code) ? countryDetails(code).Currency || 'USD' : undefined
}
