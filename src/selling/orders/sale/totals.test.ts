import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { RATE_SCALE } from '#identity/addresses/vat-rates.facts.ts'
import { type Charge, type Discount, netOf, nextPart, spread, sum, totalsOf } from './totals.rules.ts'

const charge = (unitCents: number, rate = 19_000, quantity = 1, isNet = false): Charge => ({
  unitCents,
  isNet,
  rate,
  quantity,
})

describe('the numbers of an order', () => {
  test('take the tax out of a price with tax', () => {
    const totals = totalsOf([charge(1190)], [], [])
    assert.deepEqual(totals.lines, [{ price: 1000, list: 1190, discount: 0, net: 1000, tax: 190 }])
    assert.deepEqual([totals.net, totals.tax, totals.total], [1000, 190, 1190])
    assert.deepEqual(totals.taxLines, [{ price: 1000, rate: 19_000 }])
  })

  test('put the tax on a price without', () => {
    const totals = totalsOf([charge(999, 19_000, 3, true)], [], [])
    // 29.97 and 5.6943 of tax.
    assert.deepEqual(totals.lines, [{ price: 999, list: 3566, discount: 0, net: 2997, tax: 569 }])
  })

  test('are rounded for the line, not for each piece', () => {
    const totals = totalsOf([charge(999, 19_000, 3)], [], [])
    assert.deepEqual(totals.lines, [{ price: 839, list: 2997, discount: 0, net: 2518, tax: 479 }])
  })

  test('are rounded half up', () => {
    assert.equal(netOf(3, 20_000), 3) // 2.5
    assert.equal(netOf(1, 100_000), 1) // 0.5
  })

  test('know several rates and shipping', () => {
    const totals = totalsOf([charge(1190), charge(1200, 20_000), charge(500, 0)], [], [charge(595)])
    assert.deepEqual(totals.taxLines, [
      { rate: 20_000, price: 1000 },
      { rate: 19_000, price: 1500 },
      { rate: 0, price: 500 },
    ])
    assert.deepEqual([totals.lineItems, totals.net, totals.tax, totals.total], [2890, 3000, 485, 3485])
  })

  test('take one discount off what another has left, and nothing off shipping', () => {
    const totals = totalsOf(
      [charge(1000, 0), charge(3000, 0)],
      [
        { type: 'percentage', hundredths: 1000 },
        { type: 'fixed_amount', cents: 400 },
      ],
      [charge(500, 0)],
    )
    assert.deepEqual(totals.discounts, [400, 400])
    assert.deepEqual(
      totals.lines.map(({ discount }) => discount),
      [200, 600],
    )
    assert.deepEqual([totals.lineItems, totals.discount, totals.total], [4000, 800, 3700])
  })

  test('never get below nothing', () => {
    const totals = totalsOf([charge(1000)], [{ type: 'fixed_amount', cents: 5000 }], [])
    assert.deepEqual([totals.discount, totals.total, totals.tax], [1000, 0, 0])
    assert.equal(totalsOf([charge(1000)], [{ type: 'percentage', hundredths: 10_000 }], []).total, 0)
  })

  test('are what can be paid where there are no cents', () => {
    const totals = totalsOf([charge(190_000, 10_000)], [{ type: 'percentage', hundredths: 3333 }], [], 100)
    assert.deepEqual(totals.lines, [{ price: 172_700, list: 190_000, discount: 63_300, net: 115_200, tax: 11_500 }])
    assert.equal(totals.total, 126_700)
  })

  const anyCharge = fc.record({
    unitCents: fc.integer({ min: 0, max: 1_000_000 }),
    isNet: fc.boolean(),
    rate: fc.constantFrom(0, 7_000, 19_000, 20_000, 25_500, 27_000, 8_100),
    quantity: fc.integer({ min: 1, max: 500 }),
  })
  const anyDiscount: fc.Arbitrary<Discount> = fc.oneof(
    fc.record({ type: fc.constant('percentage' as const), hundredths: fc.integer({ min: 1, max: 10_000 }) }),
    fc.record({ type: fc.constant('fixed_amount' as const), cents: fc.integer({ min: 1, max: 10_000_000 }) }),
  )

  test('add up for any purchase', () => {
    fc.assert(
      fc.property(
        fc.array(anyCharge, { minLength: 1, maxLength: 12 }),
        fc.array(anyDiscount, { maxLength: 3 }),
        fc.array(anyCharge, { maxLength: 1 }),
        fc.constantFrom(1, 100),
        (charges, discounts, shipping, step) => {
          const totals = totalsOf(charges, discounts, shipping, step)
          const all = [...totals.lines, ...totals.shipping]
          assert.equal(totals.total, totals.net + totals.tax)
          assert.equal(totals.net, sum(all.map(({ net }) => net)))
          assert.equal(totals.tax, sum(all.map(({ tax }) => tax)))
          assert.equal(totals.net, sum(totals.taxLines.map(({ price }) => price)))
          assert.equal(totals.discount, sum(totals.discounts))
          assert.equal(totals.discount, sum(totals.lines.map(({ discount }) => discount)))
          assert.equal(totals.total, totals.lineItems - totals.discount + sum(totals.shipping.map(({ list }) => list)))
          for (const [index, line] of all.entries()) {
            const { rate } = [...charges, ...shipping][index]!
            assert.equal(line.net + line.tax, line.list - line.discount)
            assert.ok(line.net >= 0 && line.tax >= 0 && line.discount >= 0)
            // Half of what can be paid is the most that a line is off.
            const exact = ((line.list - line.discount) * RATE_SCALE) / (RATE_SCALE + rate)
            assert.ok(Math.abs(line.net - exact) <= step / 2 + 1e-6)
            assert.ok(Object.values(line).every((cents) => cents % step === 0))
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  test('keep a net price as it is if nothing is taken off', () => {
    fc.assert(
      fc.property(anyCharge, (any) => {
        const [line] = totalsOf([{ ...any, isNet: true }], [], []).lines
        assert.equal(line!.net, any.unitCents * any.quantity)
      }),
    )
  })
})

describe('parts of an amount', () => {
  test('come to the amount', () => {
    const amounts = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), amounts, (amount, over) => {
        const parts = spread(Math.min(amount, sum(over)), over)
        assert.equal(sum(parts), Math.min(amount, sum(over)))
        assert.ok(parts.every((part, index) => part >= 0 && part <= over[index]!))
      }),
    )
  })

  test('add up to it in any steps', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 10 }),
        fc.constantFrom(1, 100),
        (amount, steps, step) => {
          const of = sum(steps)
          let before = 0
          const parts = steps.map((taken) => {
            const part = nextPart(amount, before, taken, of, step)
            before += taken
            return part
          })
          assert.equal(sum(parts), amount)
        },
      ),
    )
  })
})
