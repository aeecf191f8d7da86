import type { Rates } from '#catalog/currency-rates/rules.ts'
import { COUNTRY_CODES, countryDetails } from '#identity/addresses/countries.facts.ts'
import { newPrice, resolvePrice } from '../rules.ts'
import type { PriceAmount, PriceAmountsInput } from './schema.ts'

/** What customers would pay, as the shop works it out. Where there is no price, nothing is said. */
export function presentAmounts(input: PriceAmountsInput, rates: Rates, now: Date): PriceAmount[] {
  const { currencies = [], countries = [] } = input.price
  // A form in which nothing is typed yet has no amounts, and nothing is wrong with it.
  if (currencies.length + countries.length === 0) return []
  const model = newPrice(0, 0, { ...input.price, title: '-' }, now)
  const asked = [
    ...(input.currencies ?? []).map((currency) => ({ country: undefined, currency: currency.toUpperCase() })),
    ...(input.countries ?? [])
      .map((code) => code.toUpperCase())
      .filter((country) => COUNTRY_CODES.has(country) && countryDetails(country).Currency !== '')
      .map((country) => ({ country, currency: countryDetails(country).Currency })),
  ]
  return asked.flatMap(({ country, currency }) => {
    const amount = resolvePrice(model, { country, currency, rates })
    if (amount === undefined) return []
    const isNamed =
      model.countries.some(({ country_code }) => country_code === country) ||
      model.currencies.some((price) => price.currency === currency)
    return [
      {
        country_code: country ?? null,
        currency: amount.currency.toLowerCase(),
        price: amount.cents,
        converted: !isNamed,
      },
    ]
  })
}
