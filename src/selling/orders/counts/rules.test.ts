import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { dayOf, planCount } from './rules.ts'

const at = (text: string) => new Date(`${text}Z`)

describe('counting orders of some time', () => {
  test('takes whole days as they are', () => {
    assert.deepEqual(planCount(at('2026-01-01T00:00:00'), at('2026-01-31T23:59:59')), {
      days: { from: '2026-01-01', to: '2026-01-31' },
      spans: [],
    })
    assert.deepEqual(planCount(at('2026-01-01T00:00:00'), undefined), {
      days: { from: '2026-01-01', to: null },
      spans: [],
    })
    assert.deepEqual(planCount(undefined, undefined), { days: { from: null, to: null }, spans: [] })
  })

  test('looks closer at the ends', () => {
    assert.deepEqual(planCount(at('2026-01-01T10:00:00'), at('2026-01-02T10:00:00')), {
      days: null,
      spans: [
        { from: at('2026-01-01T10:00:00'), to: at('2026-01-01T23:59:59') },
        { from: at('2026-01-02T00:00:00'), to: at('2026-01-02T10:00:00') },
      ],
    })
    assert.deepEqual(planCount(at('2026-01-01T10:00:00'), at('2026-01-01T11:00:00')), {
      days: null,
      spans: [{ from: at('2026-01-01T10:00:00'), to: at('2026-01-01T11:00:00') }],
    })
  })

  const time = fc.integer({ min: 0, max: 4 * 86_400 - 1 }).map((seconds) => new Date(seconds * 1000))
  const bound = fc.option(
    fc.oneof(
      time,
      fc.constantFrom(
        ...[0, 1, 2, 3].flatMap((day) => [day * 86_400, day * 86_400 + 86_399]).map((s) => new Date(s * 1000)),
      ),
    ),
    { nil: undefined },
  )

  test('counts every order once, wherever the bounds lie', () => {
    fc.assert(
      fc.property(fc.array(time, { maxLength: 40 }), bound, bound, (orders, min, max) => {
        const plan = planCount(min, max)
        const { days, spans } = plan
        const inDays = orders.filter(
          (order) =>
            days !== null &&
            (days.from === null || dayOf(order) >= days.from) &&
            (days.to === null || dayOf(order) <= days.to),
        )
        const inSpans = spans.flatMap(({ from, to }) => orders.filter((order) => order >= from && order <= to))
        const expected = orders.filter(
          (order) => (min === undefined || order >= min) && (max === undefined || order <= max),
        )
        assert.equal(inDays.length + inSpans.length, expected.length)
      }),
      { numRuns: 1000 },
    )
  })
})
