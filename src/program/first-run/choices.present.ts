import { CURRENCY_CODES } from '#catalog/currency-rates/currencies.facts.ts'
import { COUNTRY_CODES, countryDetails } from '#identity/addresses/countries.facts.ts'
import { localeOf } from '#platform/text/messages.ts'

export type Choice = { value: string; text: string }

/** The form is shown once in the life of a shop, so the names are sorted then. */
function byName(language: string, choices: Choice[]): Choice[] {
  const { compare } = new Intl.Collator(localeOf(language))
  return choices.sort((one, other) => compare(one.text, other.text))
}

export function countryChoices(language: string): Choice[] {
  const names = new Intl.DisplayNames([localeOf(language)], { type: 'region' })
  return byName(
    language,
    [...COUNTRY_CODES].map((code) => ({ value: code, text: names.of(code) ?? code })),
  )
}

export function currencyChoices(language: string): Choice[] {
  const names = new Intl.DisplayNames([localeOf(language)], { type: 'currency' })
  return byName(
    language,
    [...CURRENCY_CODES].map((code) => ({ value: code, text: `${names.of(code) ?? code} (${code})` })),
  )
}

/** The currency of a country, dollars if it has none of its own; undefined for an unknown code. */
export function currencyOf(code: string): string | undefined {
  return COUNTRY_CODES.has(code) ? countryDetails(code).Currency || 'USD' : undefined
}
