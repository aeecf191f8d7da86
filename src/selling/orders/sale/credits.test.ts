import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { NO_LICENSE } from '#rights/entitlements/rules.ts'
import type { Credit } from './credits.rules.ts'
import { type ChosenLine, NO_RATES, priceOrder, type Sale } from './pricing.rules.ts'
import { sum } from './totals.rules.ts'

const now = new Date('2026-05-01T12:00:00Z')

const saleIn = (taxOptions: number, reverseCharge: boolean): Sale => ({
  seller: { id: 1, country_code: 'DE', currency: 'EUR', tax_options: taxOptions, sandbox: false },
  country: reverseCharge ? 'AT' : 'DE',
  destination: 'DE',
  ownRates: {},
  currency: 'EUR',
  reverseCharge,
  now,
})

/** A film for so many cents. */
function lineOf(cents: number, credit: Credit | null, quantity: number): ChosenLine {
  const terms = { ...NO_LICENSE, expiration_date: null }
  const price = { valid: 1, countries: [], currencies: [{ currency: 'EUR', cents }] }
  const license = { tax_handling: 0, physical: 0, terms }
  return {
    product: { product_type: 9, tax_class: 'standard' },
    parts: null,
    binding: { license },
    price,
    kind: 'digital',
    hd: false,
    quantity: credit === null ? quantity : 1,
    isPreOrder: false,
    keepsRental: credit !== null,
    credit,
  } as unknown as ChosenLine
}

const credit = fc.record({ gross: fc.nat({ max: 5000 }), currency: fc.constantFrom('EUR', 'EUR', 'USD') }).map(
  ({ gross, currency }): Credit => ({
    entitlement_id: 7,
    currency,
    gross,
    test: false,
    net: Math.round((gross * 100) / 119),
  }),
)
const line = fc.record({
  cents: fc.nat({ max: 100_000 }),
  credit: fc.option(credit),
  quantity: fc.integer({ min: 1, max: 9 }),
})

describe('the price of a purchase that keeps a rental', () => {
  test('is lower by what was paid for the rental, and never below nothing, and totals add up', () => {
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(1, 2),
        fc.boolean(),
        (lines, taxOptions, reverseCharge) => {
          const sale = saleIn(taxOptions, reverseCharge)
          const price = (withCredit: boolean) => {
            const chosen = lines.map((each) => ({
              ...lineOf(each.cents, each.credit, each.quantity),
              ...(withCredit ? {} : { credit: null }),
            }))
            const pricing = priceOrder({ lines: chosen, codes: [], method: undefined, sale }, NO_RATES)
            assert.ok(pricing)
            return pricing
          }
          const [full, lower] = [price(false), price(true)]
          assert.ok(lower.totals.lines.every(({ list, net, tax }) => list >= 0 && net >= 0 && tax >= 0))
          assert.equal(lower.totals.total, full.totals.total - sum(lower.credits))
          assert.equal(lower.totals.total, lower.totals.net + lower.totals.tax)
          assert.equal(lower.totals.total, sum(lower.totals.lines.map(({ net, tax }) => net + tax)))
          for (const [index, { cents, credit: paid }] of lines.entries()) {
            const credited = lower.credits[index] ?? 0
            if (paid === null || paid.currency !== 'EUR') assert.equal(credited, 0)
            else if (taxOptions === 1 && !reverseCharge) assert.equal(credited, Math.min(paid.gross, cents))
            assert.ok(credited >= 0 && credited <= (full.totals.lines[index]?.list ?? 0))
          }
        },
      ),
    )
  })
})
