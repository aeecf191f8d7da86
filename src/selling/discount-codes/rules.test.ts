import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '#platform/errors/problem.ts'
import { newDiscountCode, objectionToCode, oneSpelling } from './rules.ts'
import type { DiscountCodeInput } from './schema.ts'

const NOW = new Date('2026-01-02T03:04:05Z')
const SPRING = { code: 'Spring', type: 'percentage', amount: 10 }
const make = (input: Partial<DiscountCodeInput>) => newDiscountCode(1000, 7, { ...SPRING, ...input }, NOW)

describe('a discount code', () => {
  test('is made of little', () => {
    assert.deepEqual(make({ code: ' Spring ' }), {
      company_id: 1000,
      id: 7,
      code: 'Spring',
      type: 'percentage',
      amount: 10,
      starts_at: null,
      ends_at: null,
      usage_limit: null,
      used: 0,
      created_at: NOW,
      updated_at: NOW,
    })
  })

  test('is made of all that there is', () => {
    const made = make({
      type: 'fixed_amount',
      amount: 500,
      starts_at: '2026-03-01',
      ends_at: '2026-04-01T00:00:00+02:00',
      usage_limit: 3,
    })
    assert.deepEqual(made, {
      ...make({}),
      type: 'fixed_amount',
      amount: 500,
      starts_at: new Date('2026-03-01T00:00:00Z'),
      ends_at: new Date('2026-03-31T22:00:00Z'),
      usage_limit: 3,
    })
  })

  test('takes every amount that its type can have', () => {
    for (const amount of [0.01, 0.29, 1.1, 33.33, 99.99, 100]) assert.equal(make({ amount }).amount, amount)
    for (let cents = 1; cents <= 10_000; cents++) assert.equal(make({ amount: cents / 100 }).amount, cents / 100)
    for (const amount of [1, 9_999_999_999]) assert.equal(make({ type: 'fixed_amount', amount }).amount, amount)
  })

  const WRONG: [string[], Partial<DiscountCodeInput>][] = [
    [['code'], { code: ' ' }],
    [['code'], { code: 'a\0b' }],
    [['type'], { type: 'Percentage' }],
    [['type'], { type: '' }],
    [['amount'], { amount: 0 }],
    [['amount'], { amount: -1 }],
    [['amount'], { amount: 100.01 }],
    [['amount'], { amount: 0.001 }],
    [['amount'], { amount: 1e-12 }],
    [['amount'], { amount: 33.333 }],
    [['amount'], { amount: 33.3300000000001 }],
    [['amount'], { amount: Number.NaN }],
    [['amount'], { type: 'fixed_amount', amount: 0 }],
    [['amount'], { type: 'fixed_amount', amount: 1.5 }],
    [['amount'], { type: 'fixed_amount', amount: 10_000_000_000 }],
    [['starts_at'], { starts_at: 'soon' }],
    [['ends_at'], { ends_at: '2026-02-30' }],
    [['ends_at'], { starts_at: '2026-03-01', ends_at: '2026-03-01' }],
    [['ends_at'], { starts_at: '2026-03-02', ends_at: '2026-03-01' }],
    [['code', 'ends_at', 'type'], { code: '', type: 'x', ends_at: 'x' }],
  ]
  for (const [paths, input] of WRONG)
    test(`is refused because of ${paths.join(' and ')}: ${JSON.stringify(input)}`, () => {
      assert.throws(
        () => make(input),
        (error) => {
          assert.ok(error instanceof Problem)
          assert.deepEqual(Object.keys(error.fields ?? {}).sort(), paths)
          return true
        },
      )
    })
})

describe('a code at a time', () => {
  const during = make({ starts_at: '2026-03-01', ends_at: '2026-04-01', usage_limit: 2 })
  const CASES: [string, number, string | undefined][] = [
    ['2026-02-28T23:59:59Z', 0, 'is not good yet'],
    ['2026-03-01T00:00:00Z', 0, undefined],
    ['2026-03-31T23:59:59Z', 1, undefined],
    ['2026-04-01T00:00:00Z', 0, 'is no longer good'],
    ['2026-03-15T00:00:00Z', 2, 'has been used up'],
    ['2026-03-15T00:00:00Z', 3, 'has been used up'],
    ['2026-04-01T00:00:00Z', 2, 'is no longer good'],
  ]
  for (const [time, used, expected] of CASES)
    test(`${time}, used ${used} times: ${expected ?? 'good'}`, () => {
      assert.equal(objectionToCode({ ...during, used }, new Date(time))?.message, expected)
    })

  test('is good for ever and for everybody unless it says otherwise', () => {
    for (const time of ['1999-01-01', '2999-01-01'])
      assert.equal(objectionToCode({ ...make({}), used: 1_000_000 }, new Date(time)), undefined)
  })
})

test('case and blanks around a code say nothing', () => {
  assert.equal(oneSpelling(' sPring '), oneSpelling('SPRING'))
  assert.notEqual(oneSpelling('SPR ING'), oneSpelling('SPRING'))
  assert.equal(oneSpelling('größe'), oneSpelling('GRÖßE'))
  assert.notEqual(oneSpelling('straße'), oneSpelling('STRASSE'))
})
