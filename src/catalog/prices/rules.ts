import { CURRENCY_CODES } from '#catalog/currency-rates/currencies.facts.ts'
import { currencyUnknown } from '#catalog/currency-rates/errors.ts'
import { convertCents, type Rates } from '#catalog/currency-rates/rules.ts'
import { COUNTRY_CODES, countryCode, countryDetails } from '#identity/addresses/countries.facts.ts'
import { countryUnknown } from '#identity/addresses/errors.ts'
import { entryRepeated, fieldNotAllowed, fieldOutOfRange, fieldRequired } from '#platform/errors/faults.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { amountMissing, countryWithoutCurrency } from './errors.ts'
import { PRICE_MAX_CENTS, type PriceInput } from './schema.ts'
import type { CountryPrice, CurrencyPrice, PriceState } from './state.ts'

export const VALID = 1
export const INVALID = 0

export type PriceModel = Pick<PriceState, 'valid' | 'countries' | 'currencies'>

/** The customer's country, if it is known, the requested currency (codes in capitals), and the rates of the day. */
export type Asked = { country: string | undefined; currency: string; rates: Rates }

export type Amount = { cents: number; currency: string }

/**
 * The price for a customer. The price of the customer's country comes first, in the currency of that country; then the
 * price in the requested currency; then the first price of the model that has a rate, currencies before countries,
 * converted to the requested currency. A model that is invalid, or without any price that can be converted, has no
 * price.
 */
export function resolvePrice(model: PriceModel, { country, currency, rates }: Asked): Amount | undefined {
  if (model.valid !== VALID) return undefined
  const atHome = model.countries.find(({ country_code }) => country_code === country)
  if (atHome !== undefined) return inOwnCurrency(atHome)
  const asked = model.currencies.find((price) => price.currency === currency)
  if (asked !== undefined) return asked
  return (
    firstConverted(model.currencies, (price) => price, currency, rates) ??
    firstConverted(model.countries, inOwnCurrency, currency, rates)
  )
}

/** A model may name every country, so the search stops at the first match. */
function firstConverted<Price>(
  prices: readonly Price[],
  amountOf: (price: Price) => Amount,
  currency: string,
  rates: Rates,
): Amount | undefined {
  for (const price of prices) {
    const amount = amountOf(price)
    const cents = convertCents(amount.cents, amount.currency, currency, rates)
    if (cents !== undefined) return { cents, currency }
  }
  return undefined
}

function inOwnCurrency({ country_code, cents }: CountryPrice): Amount {
  return { cents, currency: countryDetails(country_code).Currency }
}

/** Creates a price model from an input. Throws with all faults at once. */
export function newPrice(companyId: number, id: number, input: PriceInput, now: Date): PriceState {
  const blank: PriceState = {
    company_id: companyId,
    id,
    title: '',
    valid: VALID,
    countries: [],
    currencies: [],
    created_at: now,
    modified_at: now,
  }
  return changePrice(blank, { title: '', ...input }, now)
}

/** The price model after an update. Absent fields stay, lists are replaced. */
export function changePrice(before: PriceState, input: PriceInput, now: Date): PriceState {
  const report = new FieldReport()
  reportUnstorable(input, report)
  if (input.title?.trim() === '') report.add('title', fieldRequired())
  if (input.valid !== undefined && input.valid !== VALID && input.valid !== INVALID)
    report.add('valid', fieldNotAllowed([0, 1]))
  const after: PriceState = {
    ...before,
    title: input.title ?? before.title,
    valid: input.valid ?? before.valid,
    countries: input.countries === undefined ? before.countries : readCountries(input.countries, report),
    currencies: input.currencies === undefined ? before.currencies : readCurrencies(input.currencies, report),
    modified_at: now,
  }
  if (after.countries.length + after.currencies.length === 0) report.add('currencies', amountMissing())
  report.throwIfAny()
  return after
}

function readCountries(sent: NonNullable<PriceInput['countries']>, report: FieldReport): CountryPrice[] {
  const prices = sent.map(({ country_code, price }) => ({
    country_code: countryCode(country_code) ?? country_code,
    cents: price,
  }))
  for (const [index, { country_code, cents }] of prices.entries()) {
    const path = `countries[${index}]`
    if (!COUNTRY_CODES.has(country_code)) report.add(`${path}.country_code`, countryUnknown('is not a country'))
    else if (countryDetails(country_code).Currency === '') report.add(`${path}.country_code`, countryWithoutCurrency())
    if (prices.findIndex((other) => other.country_code === country_code) !== index)
      report.add(`${path}.country_code`, entryRepeated())
    checkCents(cents, `${path}.price`, report)
  }
  return prices
}

function readCurrencies(sent: NonNullable<PriceInput['currencies']>, report: FieldReport): CurrencyPrice[] {
  const prices = sent.map(({ currency, price }) => ({ currency: currency.toUpperCase(), cents: price }))
  for (const [index, { currency, cents }] of prices.entries()) {
    const path = `currencies[${index}]`
    if (!CURRENCY_CODES.has(currency)) report.add(`${path}.currency`, currencyUnknown())
    if (prices.findIndex((other) => other.currency === currency) !== index)
      report.add(`${path}.currency`, entryRepeated())
    checkCents(cents, `${path}.price`, report)
  }
  return prices
}

function checkCents(cents: number, path: string, report: FieldReport): void {
  if (!Number.isSafeInteger(cents) || cents < 0 || cents > PRICE_MAX_CENTS)
    report.add(path, fieldOutOfRange(`must be whole cents from 0 to ${PRICE_MAX_CENTS}`))
}
