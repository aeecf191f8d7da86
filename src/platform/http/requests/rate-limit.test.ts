import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createRateLimiter, fullBucket, type RateLimit, take } from './rate-limit.ts'

const limits = fc.record({
  burst: fc.integer({ min: 1, max: 500 }),
  perSecond: fc.double({ min: 0.1, max: 500, noNaN: true }),
})
const waits = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 300 })

/** How many of so many requests at once are let through. */
function takeAll(bucket: ReturnType<typeof fullBucket>, limit: RateLimit, now: number, requests: number): number {
  let allowed = 0
  for (let sent = 0; sent < requests; sent += 1) if (take(bucket, limit, now).allowed) allowed += 1
  return allowed
}

describe('a token bucket', () => {
  test('never lets through more than it holds and what it got back meanwhile', () => {
    fc.assert(
      fc.property(limits, waits, (limit, waits) => {
        const bucket = fullBucket(limit, 0)
        let now = 0
        let letIn = 0
        for (const wait of waits) {
          now += wait
          if (take(bucket, limit, now).allowed) letIn += 1
          assert.ok(letIn <= limit.burst + (now / 1000) * limit.perSecond + 1e-6)
          assert.ok(bucket.tokens >= 0 && bucket.tokens <= limit.burst)
        }
      }),
    )
  })

  test('tells the truth about what remains and how long to wait', () => {
    fc.assert(
      fc.property(limits, waits, (limit, waits) => {
        const bucket = fullBucket(limit, 0)
        let now = 0
        for (const wait of waits) {
          now += wait
          const taken = take(bucket, limit, now)
          assert.ok(taken.remaining >= 0 && taken.remaining < limit.burst && Number.isInteger(taken.remaining))
          assert.ok(Number.isInteger(taken.resetSeconds) && taken.resetSeconds >= 1)
          assert.equal(taken.allowed, taken.retrySeconds === 0)
          const copy = () => ({ ...bucket })
          assert.equal(takeAll(copy(), limit, now, taken.remaining), taken.remaining, 'as many as promised')
          if (!taken.allowed) assert.ok(take(copy(), limit, now + taken.retrySeconds * 1000 + 1e-6).allowed)
          const reset = copy()
          take(reset, limit, now + taken.resetSeconds * 1000 + 1e-6)
          assert.ok(reset.tokens >= limit.burst - 1 - 1e-6, 'it is full at the reset, but for this one')
        }
      }),
      { numRuns: 50 },
    )
  })

  test('is one for each key, and forgotten only when it is full', () => {
    const limiter = createRateLimiter({ burst: 2, perSecond: 1 })
    for (const expected of [true, true, false]) assert.equal(limiter('a', 0).allowed, expected)
    assert.equal(limiter('b', 0).allowed, true)
    for (let index = 0; index < 20_000; index += 1) limiter(`other ${index}`, 0)
    assert.equal(limiter('a', 0).allowed, false)
    assert.equal(limiter('a', 1000).allowed, true)
  })

  test('costs no more for a new key when very many are in use', () => {
    const limiter = createRateLimiter({ burst: 2, perSecond: 1 })
    for (let index = 0; index < 9000; index += 1) limiter(`few ${index}`, 0)
    const cpu = process.cpuUsage()
    for (let index = 0; index < 40_000; index += 1) limiter(`many ${index}`, 0)
    const { user, system } = process.cpuUsage(cpu)
    assert.ok(user + system < 2_000_000, `${(user + system) / 1000} ms of CPU time`)
  })
})
