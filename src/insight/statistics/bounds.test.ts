import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '#platform/db/transaction.ts'
import { raiseVersion } from '#platform/db/versions.ts'
import { ORDER_DAYS } from '#selling/orders/statistics/queries.ts'
import type { Wire } from '#test/factories.ts'
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
  assert.equal(most.body.totals.plays, 100_000)
  // They are read in parts.
  const placeOf = ({ date, id }: Wire) => `${date} ${String(id).padStart(3, '0')}`
  const places = most.body.usage_statistics.map(placeOf)
  assert.deepEqual(places, [...new Set(places)].sort())
  for (const format of ['json', 'csv']) {
    const { status, body, text } = await ask(`EndDate=2026-02-05&format=${format}`)
    assert.deepEqual([status, body.reason], [422, 'too_many_records'], text.slice(0, 200))
    assert.match(body.errors.group[0], /group=month/)
  }
  for (const [group, count] of [
    ['week', 58 * 250],
    ['month', 14 * 250],
  ] as const) {
    const { status, body } = await ask(`EndDate=2026-02-05&group=${group}`)
    assert.deepEqual([status, body.totals?.plays, body.usage_statistics?.length], [200, 100_001, count])
  }
})

test('a report of products has 100,000 records at most, and the best if it is asked for them', async () => {
  const shop = await service.openShop()
  await sql`insert into order_product_months (company_id, month, product_key, product_id, name, count, amount)
    select ${shop.companyId}, date '2025-01-01', product, 'P' || product, 'A product', 1, product
    from generate_series(1, 100001) as product`.execute(service.db)
  const ask = (query: string) =>
    shop.get(`/api/statistics/order_products/${shop.companyId}.json?StartDate=2025-01-01&EndDate=2025-01-31${query}`)
  const refused = await ask('')
  assert.deepEqual([refused.status, refused.body.reason], [422, 'too_many_products'], refused.text.slice(0, 200))
  assert.match(refused.body.errors.limit[0], /100000 products/)
  const best = await ask('&limit=2')
  assert.deepEqual(
    best.body.order_product_statistics.map(({ product_id }: Wire) => product_id),
    ['P100001', 'P100000'],
  )
  await sql`delete from order_product_months where company_id = ${shop.companyId} and product_key = 1`.execute(
    service.db,
  )
  await inTransaction(service.db, (tx) => raiseVersion(tx, shop.companyId, ORDER_DAYS))
  assert.equal((await ask('')).body.order_product_statistics.length, 100_000)
})
