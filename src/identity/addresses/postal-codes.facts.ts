import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'

/** The longest postal code has ten characters. A longer text is searched for none. */
const LENGTH_MAX = 16

/** Do addresses in a country (two-letter code) have a postal code? Countries without a known format have none. */
export function needsPostalCode(country: string): boolean {
  return postcodeValidatorExistsForCountry(country) && !postcodeValidator('', country)
}

/**
 * Can it be a postal code of the country? Capitals, blanks, hyphens and the letters of the country in front do not matter, because
 * people write them as they like.
 */
export function mayBePostalCode(text: string, country: string): boolean {
  if (!postcodeValidatorExistsForCountry(country)) return true
  if (text.length > LENGTH_MAX) return false
  const written = text.trim().toUpperCase()
  const compact = written.replace(/^[A-Z]{1,3}-(?=\d)/, '').replace(/[\s-]/g, '')
  const separated = Array.from({ length: compact.length }, (_, at) =>
    [' ', '-'].map((separator) => `${compact.slice(0, at)}${separator}${compact.slice(at)}`),
  ).flat()
  return [written, compact, ...separated].some((form) => postcodeValidator(form, country))
}
