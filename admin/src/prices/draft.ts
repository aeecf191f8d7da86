import { centsIn } from '../words/format.ts'
import type { Price, PriceInput } from './queries.ts'

export type CurrencyAmount = { currency: string; typed: string }
export type CountryAmount = { country_code: string; typed: string }

/** A price as its editor has it, with amounts as they were typed. */
export type Draft = { title: string; currencies: CurrencyAmount[]; countries: CountryAmount[] }

/** The currencies that are offered first. */
export const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'DKK', 'NOK', 'PLN', 'CZK', 'JPY', 'CAD', 'AUD']

const typedOf = (cents: number) => (cents / 100).toFixed(2)

export function draftOf({ title, currencies, countries }: Price): Draft {
  return {
    title,
    currencies: currencies.map(({ currency, price }) => ({ currency: currency.toUpperCase(), typed: typedOf(price) })),
    countries: countries.map(({ country_code, price }) => ({ country_code, typed: typedOf(price) })),
  }
}

/** What was typed is sent as no number if it is none, so that the service says so at the field. */
const centsOf = (typed: string) => centsIn(typed) ?? Number.NaN

export function inputOf({ title, currencies, countries }: Draft) {
  return {
    title,
    currencies: currencies.map(({ currency, typed }) => ({ currency: currency.toLowerCase(), price: centsOf(typed) })),
    countries: countries.map(({ country_code, typed }) => ({ country_code, price: centsOf(typed) })),
  } satisfies PriceInput
}

/** What differs between two drafts, as the API takes it. */
export function changesIn(before: Draft, after: Draft): PriceInput {
  const [old, changed] = [inputOf(before), inputOf(after)]
  const keys = Object.keys(changed) as (keyof typeof changed)[]
  return Object.fromEntries(
    keys.filter((key) => JSON.stringify(old[key]) !== JSON.stringify(changed[key])).map((key) => [key, changed[key]]),
  )
}

/** The amounts that can be converted; undefined while one is missing, or if there are none. */
export function amountsOf(draft: Draft): Pick<PriceInput, 'currencies' | 'countries'> | undefined {
  const { currencies, countries } = inputOf(draft)
  const cents = [...currencies, ...countries].map(({ price }) => price)
  return cents.length === 0 || cents.some(Number.isNaN) ? undefined : { currencies, countries }
}
