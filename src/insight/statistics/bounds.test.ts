import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder } from '#test/orders.ts'

const service = useService()

test('a report of usage has 100,000 records at most, and says how to get fewer', async () => {
  const shop = await service.openShop()
  const film = await aFilm(service, shop)
  await anOrder(shop, await aBuyer(shop), [film])
  // 250 products that were used on each of 400 days, and one that was used on the day after them.
  await sql`insert into usage_days (company_id, day, product_key, product_id, plays, downloads, seconds)
    select ${shop.companyId}, date '2025-01-01' + day, product, ${film.product_id}, 1, 0, 60
    from generate_series(0, 400) as day, generate_series(1, 250) as product
    where day < 400 or product = 1`.execute(service.db)
  const ask = (query: string) => shop.get(`/api/statistics/usage/${shop.companyId}.json?StartDate=2025-01-01&${query}`)
  const most = await ask('EndDate=2026-02-04')
  assert.equal(most.status, 200)
  assert.equal(most.body.usage_statistics.length, 100_000)
  for (const format of ['json', 'csv']) {
    const { status, body, text } = await ask(`EndDate=2026-02-05&format=${format}`)
    assert.deepEqual([status, body.reason], [422, 'too_many_records'], text.slice(0, 200))
    assert.match(body.errors.group[0], /group=month/)
  }
  const months = await ask('EndDate=2026-02-05&group=month')
  assert.deepEqual([months.status, months.body.totals?.plays], [200, 100_001])
})
