import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sum } from '../sale/totals.rules.ts'
import {
  type CountedLine,
  type CountedSale,
  homeCentsOfLines,
  isInternational,
  isRental,
  recordOf,
  splitByMonths,
} from './rules.ts'

const film: CountedLine = { kind: 'digital', rental: false, quantity: 1, cents: 1000 }
const rental: CountedLine = { kind: 'digital', rental: true, quantity: 2, cents: 600 }
const cup: CountedLine = { kind: 'physical', rental: false, quantity: 3, cents: 900 }
const service: CountedLine = { kind: 'service', rental: false, quantity: 1, cents: 500 }

const sale = (given: Partial<CountedSale>): CountedSale => ({
  isInternational: false,
  homeCents: 0,
  shippingCents: 0,
  lines: [],
  ...given,
})

describe('the record of a sale', () => {
  test('counts orders by country, and pieces by kind and license', () => {
    const record = recordOf(sale({ homeCents: 3500, shippingCents: 500, lines: [film, rental, cup, service] }))
    assert.deepEqual(record, {
      order_count: 1,
      order_amount: 3500,
      national_count: 1,
      national_amount: 3500,
      international_count: 0,
      international_amount: 0,
      item_count: 7,
      digital_count: 3,
      digital_amount: 1600,
      physical_count: 3,
      physical_amount: 900,
      permanent_license_count: 1,
      permanent_license_amount: 1000,
      rental_license_count: 2,
      rental_license_amount: 600,
    })
  })

  test('has the order of a customer abroad as international', () => {
    const { national_count, national_amount, international_count, international_amount } = recordOf(
      sale({ isInternational: true, homeCents: 1000, lines: [film] }),
    )
    assert.deepEqual([national_count, national_amount, international_count, international_amount], [0, 0, 1, 1000])
  })

  test('divides what is left in the home currency among the lines and the shipping', () => {
    assert.deepEqual(
      homeCentsOfLines(sale({ homeCents: 1000, shippingCents: 500, lines: [film, service] })),
      [500, 250],
    )
    assert.deepEqual(homeCentsOfLines(sale({ homeCents: 0, shippingCents: 500, lines: [film, service] })), [0, 0])
    assert.deepEqual(homeCentsOfLines(sale({ homeCents: 0, lines: [{ ...film, cents: 0 }] })), [0])
  })

  const line = fc.record({
    kind: fc.constantFrom('digital' as const, 'physical' as const, 'service' as const),
    rental: fc.boolean(),
    quantity: fc.integer({ min: 0, max: 9 }),
    cents: fc.integer({ min: 0, max: 100_000 }),
  })

  test('never adds up to more than the order', () => {
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 8 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: 0, max: 5000 }),
        fc.boolean(),
        (lines, homeCents, shippingCents, isAbroad) => {
          const sold = sale({ isInternational: isAbroad, homeCents, shippingCents, lines })
          const record = recordOf(sold)
          const amounts = homeCentsOfLines(sold)
          assert.ok(amounts.every((amount) => amount >= 0))
          assert.ok(sum(amounts) <= homeCents)
          const hasPrice = lines.some(({ cents }) => cents > 0)
          if (shippingCents === 0 && hasPrice) assert.equal(sum(amounts), homeCents)
          assert.equal(record.national_amount + record.international_amount, record.order_amount)
          assert.equal(record.permanent_license_count + record.rental_license_count, record.digital_count)
          assert.equal(record.permanent_license_amount + record.rental_license_amount, record.digital_amount)
          assert.equal(record.item_count, sum(lines.map(({ quantity }) => quantity)))
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('a license', () => {
  type Terms = { expiration_date: string | null; expire_after_acquisition: number; expire_after_first_use: number }
  const terms: Terms = { expiration_date: null, expire_after_acquisition: 0, expire_after_first_use: 0 }
  const cases: [string, Partial<Terms> | null, boolean][] = [
    ['that is missing', null, false],
    ['without an end', {}, false],
    ['with a last day', { expiration_date: '2030-01-01T00:00:00Z' }, true],
    ['that ends some time after the sale', { expire_after_acquisition: 48 }, true],
    ['that ends some time after the first use', { expire_after_first_use: 2 }, true],
  ]
  for (const [name, changes, expected] of cases)
    test(`${name} is ${expected ? 'a' : 'no'} rental`, () => {
      const license = changes === null ? null : { terms: { ...terms, ...changes } }
      assert.equal(isRental(license), expected)
    })
})

test('the months and days of a period have each of its days once', () => {
  const DAY_MS = 86_400_000
  const text = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)
  const between = (from: string, to: string): string[] =>
    from > to ? [] : [from, ...between(text(Date.parse(from) / DAY_MS + 1), to)]
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20_000 }), fc.nat({ max: 200 }), (first, length) => {
      const [from, to] = [text(first), text(first + length)]
      const { firstMonth, endOfMonths, headTo, tailFrom } = splitByMonths({ from, to })
      for (const month of [firstMonth, endOfMonths]) assert.ok(month.endsWith('-01'))
      const inMonths = between(firstMonth, endOfMonths).slice(0, -1)
      assert.deepEqual([...between(from, headTo), ...inMonths, ...between(tailFrom, to)], between(from, to))
    }),
  )
})

test('the days of a period until the last one that has a date are those that PostgreSQL reads', () => {
  const to = '9999-12-31'
  assert.deepEqual(splitByMonths({ from: '9999-10-30', to }), {
    firstMonth: '9999-11-01',
    endOfMonths: 'infinity',
    headTo: '9999-10-31',
    tailFrom: 'infinity',
  })
  assert.deepEqual(splitByMonths({ from: '9999-12-02', to }), {
    firstMonth: 'infinity',
    endOfMonths: 'infinity',
    headTo: to,
    tailFrom: 'infinity',
  })
})

test('a customer whose country is not known counts as national', () => {
  assert.equal(isInternational('', 'DE'), false)
  assert.equal(isInternational('DE', 'DE'), false)
  assert.equal(isInternational('FR', 'DE'), true)
})
