import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { CURRENCY_CODES } from '#catalog/currency-rates/currencies.facts.ts'
import { convertCents } from '#catalog/currency-rates/rules.ts'
import { SNAPSHOT } from '#catalog/currency-rates/snapshot.facts.ts'
import { COUNTRY_CODES, countryDetails } from '#identity/addresses/countries.facts.ts'
import { type Amount, INVALID, type PriceModel, resolvePrice, VALID } from './rules.ts'

const { rates } = SNAPSHOT

type Prices = Record<string, number>

/** A model from prices by country and by currency, in the order in which they are written. */
function model(countries: Prices, currencies: Prices, valid = VALID): PriceModel {
  return {
    valid,
    countries: Object.entries(countries).map(([country_code, cents]) => ({ country_code, cents })),
    currencies: Object.entries(currencies).map(([currency, cents]) => ({ currency, cents })),
  }
}

const FULL = model({ CH: 1690, JP: 190_000 }, { EUR: 1499, USD: 1599 })

describe('resolvePrice', () => {
  const CASES: [string, PriceModel, string | undefined, string, [number, string] | undefined][] = [
    ['the price of the country', FULL, 'CH', 'CHF', [1690, 'CHF']],
    ['the price of the country, in its currency, whatever is asked for', FULL, 'CH', 'EUR', [1690, 'CHF']],
    ['the price of the country, when the currency has one too', FULL, 'JP', 'USD', [190_000, 'JPY']],
    ['the price of the currency, where the country has none', FULL, 'DE', 'EUR', [1499, 'EUR']],
    ['the price of the currency, for a stranger in the country of another', FULL, 'DE', 'USD', [1599, 'USD']],
    ['the price of the currency, for a customer from nowhere', FULL, undefined, 'USD', [1599, 'USD']],
    ['the price of the currency, for a country that is none', FULL, 'XX', 'EUR', [1499, 'EUR']],
    // 14.99 EUR * 0.85538 = 12.822 GBP
    ['the first currency, converted', FULL, 'GB', 'GBP', [1282, 'GBP']],
    // 15.99 USD / 1.1415 * 0.85538 = 11.982 GBP
    ['the first currency by the order of the owner', model({}, { USD: 1599, EUR: 1499 }), 'GB', 'GBP', [1198, 'GBP']],
    // 14.99 EUR * 185.31 = 2777.80 JPY
    ['whole yen', model({}, { EUR: 1499 }), 'JP', 'JPY', [277_800, 'JPY']],
    [
      'a currency that has a rate, after one that has none',
      model({}, { AED: 5000, EUR: 1499 }),
      'GB',
      'GBP',
      [1282, 'GBP'],
    ],
    ['currencies before countries', model({ US: 1599 }, { EUR: 1499 }), 'GB', 'GBP', [1282, 'GBP']],
    ['the price of a country, converted, when there is no other', model({ US: 1599 }, {}), 'GB', 'GBP', [1198, 'GBP']],
    ['a neighbour with the same currency', model({ DE: 999 }, {}), 'FR', 'EUR', [999, 'EUR']],
    [
      'a currency without a rate, if it is the one asked for',
      model({ SN: 650_000 }, {}),
      'CI',
      'XOF',
      [650_000, 'XOF'],
    ],
    ['nothing for a currency without a rate', FULL, 'AE', 'AED', undefined],
    ['nothing where no price has a rate', model({ SN: 650_000 }, { AED: 5000 }), 'DE', 'EUR', undefined],
    ['nothing of a model without prices', model({}, {}), 'DE', 'EUR', undefined],
    ['nothing of a model that is invalid', model({ CH: 1690 }, { EUR: 1499 }, INVALID), 'CH', 'EUR', undefined],
    ['free as free, in every currency', model({}, { EUR: 0 }), 'US', 'USD', [0, 'USD']],
    ['a cent that is less than one as nothing', model({}, { IDR: 1 }), 'DE', 'EUR', [0, 'EUR']],
    ['half a cent as one', model({}, { EUR: 50 }), 'US', 'TWO', [101, 'TWO']],
  ]
  for (const [what, prices, country, currency, expected] of CASES) {
    test(`gives ${what}`, () => {
      const withTwo = new Map([...rates, ['TWO', 2.01]])
      const amount = resolvePrice(prices, { country, currency, rates: withTwo })
      assert.deepEqual(amount && [amount.cents, amount.currency], expected)
    })
  }

  const cents = fc.integer({ min: 0, max: 9_999_999_999 })
  const country = fc.constantFrom(...[...COUNTRY_CODES].filter((code) => countryDetails(code).Currency !== ''))
  const currency = fc.constantFrom(...CURRENCY_CODES)
  const prices = fc
    .record({
      countries: fc.uniqueArray(fc.record({ country_code: country, cents }), { selector: (each) => each.country_code }),
      currencies: fc.uniqueArray(fc.record({ currency, cents }), { selector: (each) => each.currency }),
    })
    .map((lists): PriceModel => ({ valid: VALID, ...lists }))

  test('returns whole cents in a payable currency, or nothing', () => {
    fc.assert(
      fc.property(prices, fc.option(country, { nil: undefined }), currency, (each, from, asked) => {
        const amount = resolvePrice(each, { country: from, currency: asked, rates })
        if (amount === undefined) return
        assert.ok(Number.isSafeInteger(amount.cents) && amount.cents >= 0)
        assert.ok(CURRENCY_CODES.has(amount.currency))
      }),
    )
  })

  test('returns the price of a country to customers there, and to no others', () => {
    fc.assert(
      fc.property(prices, country, country, currency, cents, (each, here, there, asked, home) => {
        const others = each.countries.filter(({ country_code }) => country_code !== here)
        const priced = { ...each, countries: [...others, { country_code: here, cents: home }] }
        const expected: Amount = { cents: home, currency: countryDetails(here).Currency }
        assert.deepEqual(resolvePrice(priced, { country: here, currency: asked, rates }), expected)
        if (here === there || others.some(({ country_code }) => country_code === there)) return
        const elsewhere = resolvePrice(priced, { country: there, currency: asked, rates })
        if (elsewhere !== undefined) assert.equal(elsewhere.currency, asked)
      }),
    )
  })

  test('never converts if there is a price in the requested currency', () => {
    fc.assert(
      fc.property(prices, currency, cents, (each, asked, price) => {
        const others = each.currencies.filter((other) => other.currency !== asked)
        const priced = { ...each, currencies: [...others, { currency: asked, cents: price }] }
        const amount = resolvePrice(priced, { country: undefined, currency: asked, rates: new Map() })
        assert.deepEqual(amount, { cents: price, currency: asked })
      }),
    )
  })

  test('finds a price whenever one can be converted', () => {
    fc.assert(
      fc.property(prices, currency, (each, asked) => {
        const inCurrencies = [
          ...each.currencies,
          ...each.countries.map(({ country_code, cents }) => ({
            cents,
            currency: countryDetails(country_code).Currency,
          })),
        ]
        const possible = inCurrencies.some((one) => convertCents(one.cents, one.currency, asked, rates) !== undefined)
        const amount = resolvePrice(each, { country: undefined, currency: asked, rates })
        assert.equal(amount !== undefined, possible)
      }),
    )
  })
})
