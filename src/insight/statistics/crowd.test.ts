import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '#platform/db/transaction.ts'
import { type Answer, type Shop, useService } from '#test/harness.ts'
import { assertOnlyWaiting, untilWaiting } from '#test/in-line.ts'

const service = useService()

/** A quarter of the connections for changes that the service of a test has. */
const AT_ONCE = 5

/** No two of these reports are the same, so each is read. */
const ask = (shop: Shop, day: number) =>
  shop.get(`/api/statistics/usage/${shop.companyId}.json?StartDate=2026-01-${String(day).padStart(2, '0')}`)

test('many reports that take long leave room for lists and changes, and are answered in the end', async () => {
  const shop = await service.openShop()
  const reports: Promise<Answer>[] = []
  await inTransaction(service.db, async (tx) => {
    await sql`lock table usage_days in access exclusive mode`.execute(tx)
    for (let day = 1; day <= 20; day += 1) {
      reports.push(ask(shop, day))
      await untilWaiting(service, Math.min(day, AT_ONCE))
    }
    for (let repeat = 0; repeat < 10; repeat += 1) {
      assert.equal((await shop.get('/api/products.json?limit=1')).status, 200)
      assert.equal((await shop.post('/api/categories.json', { category: { title: `C${repeat}` } })).status, 201)
    }
    await assertOnlyWaiting(service, AT_ONCE)
  })
  for (const { status } of await Promise.all(reports)) assert.equal(status, 200)
})
