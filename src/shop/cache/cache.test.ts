import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createShopCache } from './cache.ts'

declare module './cache.ts' {
  interface CacheValues {
    'test text': string
  }
}

const unchanged = { noneSince: () => true, last: () => 0, lastOf: () => 0 }

test('what was kept is given back when it is too old, without anybody asking for it', async () => {
  const cache = createShopCache(unchanged, { maxAgeMs: 20 })
  const source = { companyIds: [1], since: 0 }
  for (const key of ['one', 'two'])
    await cache.share('test text', key, source, async () => ({ value: key, size: 1000, isForOthers: true }))
  assert.ok(cache.bytes() > 2000)
  assert.equal(cache.find('test text', 'one')?.value, 'one')
  while (cache.bytes() > 0) await sleep(5)
  assert.equal(cache.find('test text', 'one'), undefined)
})

test('what is about one visitor is not kept at all', async () => {
  const cache = createShopCache(unchanged)
  const source = { companyIds: [1], since: 0 }
  const make = async () => ({ value: 'mine', size: 1000, isForOthers: false })
  assert.equal(await cache.share('test text', 'key', source, make), 'mine')
  assert.equal(cache.bytes(), 0)
})
