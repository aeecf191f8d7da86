import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createRateLimiter, pour } from './rate-limit.ts'

const limits = fc.record({
  burst: fc.integer({ min: 1, max: 500 }),
  perSecond: fc.double({ min: 0.1, max: 500, noNaN: true }),
})
const waits = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 300 })

describe('a leaky bucket', () => {
  test('never lets through more than its depth and what leaked meanwhile', () => {
    fc.assert(
      fc.property(limits, waits, (limit, waits) => {
        const bucket = { level: 0, at: 0 }
        let now = 0
        let let_in = 0
        for (const wait of waits) {
          now += wait
          if (pour(bucket, limit, now).allowed) let_in += 1
          assert.ok(let_in <= limit.burst + (now / 1000) * limit.perSecond + 1e-6)
          assert.ok(bucket.level >= 0 && bucket.level <= limit.burst + 1e-9)
        }
      }),
    )
  })

  test('tells the truth about what remains and how long to wait', () => {
    fc.assert(
      fc.property(limits, waits, (limit, waits) => {
        const bucket = { level: 0, at: 0 }
        let now = 0
        for (const wait of waits) {
          now += wait
          const drop = pour(bucket, limit, now)
          assert.ok(drop.remaining >= 0 && drop.remaining < limit.burst && Number.isInteger(drop.remaining))
          assert.ok(Number.isInteger(drop.resetSeconds) && drop.resetSeconds >= 1)
          assert.equal(drop.allowed, drop.retrySeconds === 0)
          const copy = () => ({ ...bucket })
          for (let more = 0, same = copy(); more < drop.remaining; more += 1)
            assert.ok(pour(same, limit, now).allowed, `${more + 1} of ${drop.remaining} promised`)
          if (!drop.allowed) assert.ok(pour(copy(), limit, now + drop.retrySeconds * 1000 + 1e-6).allowed)
          const reset = copy()
          pour(reset, limit, now + drop.resetSeconds * 1000 + 1e-6)
          assert.ok(reset.level <= 1 + 1e-6, 'it is empty after the reset')
        }
      }),
      { numRuns: 50 },
    )
  })

  test('is one for each key, and forgotten only when it is empty', () => {
    const limiter = createRateLimiter({ burst: 2, perSecond: 1 })
    for (const expected of [true, true, false]) assert.equal(limiter('a', 0).allowed, expected)
    assert.equal(limiter('b', 0).allowed, true)
    for (let index = 0; index < 20_000; index += 1) limiter(`other ${index}`, 0)
    assert.equal(limiter('a', 0).allowed, false)
    assert.equal(limiter('a', 1000).allowed, true)
  })
})
