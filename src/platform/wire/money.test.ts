import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { partOfCents } from './money.ts'

const cents = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 })
const rate = fc.integer({ min: 0, max: 10_000 })

describe('a part of cents', () => {
  for (const [amount, numerator, denominator, part] of [
    [999, 19, 100, 190],
    [50, 1, 100, 1],
    [49, 1, 100, 0],
    [-50, 1, 100, -1],
    [1, 1, 3, 0],
    [2, 1, 3, 1],
    [0, 7, 9, 0],
    [9_007_199_254_740_991, 1, 1, 9_007_199_254_740_991],
  ] as const) {
    test(`${amount} * ${numerator} / ${denominator} is ${part}`, () =>
      assert.equal(partOfCents(amount, numerator, denominator), part))
  }

  test('is never more than half a cent off', () => {
    fc.assert(
      fc.property(cents, rate, fc.integer({ min: 1, max: 10_000 }), (amount, numerator, denominator) => {
        // A larger part is refused.
        fc.pre(Math.abs(amount * numerator) / denominator < 9e15)
        const off =
          BigInt(partOfCents(amount, numerator, denominator)) * BigInt(denominator) - BigInt(amount) * BigInt(numerator)
        assert.ok((off < 0n ? -off : off) * 2n <= BigInt(denominator))
      }),
    )
  })

  test('is taken back exactly', () => {
    fc.assert(
      fc.property(cents, rate, (amount, numerator) => {
        assert.equal(partOfCents(amount, numerator, 10_000) + partOfCents(-amount, numerator, 10_000), 0)
      }),
    )
  })

  test('grows with the amount', () => {
    fc.assert(
      fc.property(cents, rate, fc.nat(1000), (amount, numerator, more) => {
        assert.ok(partOfCents(amount + more, numerator, 10_000) >= partOfCents(amount, numerator, 10_000))
      }),
    )
  })

  test('refuses what is no amount of cents', () => {
    const wrong: [number, number, number][] = [
      [0.5, 1, 1],
      [1, 1, 0],
      [Number.NaN, 1, 1],
      [9_007_199_254_740_991, 2, 1],
    ]
    for (const numbers of wrong) assert.throws(() => partOfCents(...numbers), RangeError)
  })
})
