import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LoadResult, Order } from './load.ts'
import { warmUp } from './measure.ts'

const ORDER = { url: 'http://localhost', token: '', connections: 2, requests: [] }

/** What is asked of a load generator that answers so many requests in the first seconds. */
async function askedOf(answered: number): Promise<Pick<Order, 'seconds' | 'amount'>[]> {
  const asked: Pick<Order, 'seconds' | 'amount'>[] = []
  const none: LoadResult = { requests: 0, bytes: 0, perSecond: 0, megabytesPerSecond: 0, p50: 0, p99: 0, failed: 0 }
  await warmUp(async ({ seconds, amount }) => {
    asked.push(amount === undefined ? { ...(seconds && { seconds }) } : { amount })
    return { ...none, requests: amount ?? answered }
  }, ORDER)
  return asked
}

describe('before it measures, the benchmark', () => {
  test('sends requests for two seconds', async () => {
    assert.deepEqual(await askedOf(40), [{ seconds: 2 }])
  })

  // The first ones cost up to four times as much, and would be most of what is measured.
  test('sends more of them if few were answered, as on a busy machine', async () => {
    assert.deepEqual(await askedOf(3), [{ seconds: 2 }, { amount: 37 }])
  })

  test('sends no fewer than there are connections', async () => {
    assert.deepEqual(await askedOf(39), [{ seconds: 2 }, { amount: 2 }])
  })
})
