import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { poolOf } from '#platform/db/database.ts'
import { createNotices } from '#platform/db/notices/notices.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createLog } from '#platform/log/log.ts'
import { createMetrics } from '#platform/log/metrics.ts'
import { createDns } from '#platform/outbound/dns.ts'
import { createOutbound } from '#platform/outbound/outbound.ts'
import { aCustomer } from '#test/customers.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { untilWaiting } from '#test/in-line.ts'
import { aFilm } from '#test/orders.ts'
import { cancel, refund, sell } from '#test/sales.ts'
import { createWorker } from '../../../worker.ts'
import { readOrderDays, readOrderOrigins, readProductSales } from '../statistics/queries.ts'
import { foldChanges } from './fold.commands.ts'
import { countsOf } from './queries.ts'
import { resetAskedCounts, resetCounts } from './reset.commands.ts'

const service = useService()
const PATIENCE_MS = 20_000
const EVER = { from: '2000-01-01', to: '2999-12-31' }

let shop: Shop
let film: Wire
let customer: Wire

const sellOne = () => sell(shop, [{ product: film }], { customer })

/** Everything that is counted of the orders. */
async function counted(companyId: number) {
  const { rows: counts } = await sql`select day::text as day, financial_status, fulfillment_status,
      sum(amount)::int as amount, min(first_id) as first, max(last_id) as last
    from ${countsOf(companyId)} group by 1, 2, 3 having sum(amount) <> 0 order by 1, 2, 3`.execute(service.db)
  return {
    counts,
    days: (await readOrderDays(service.db, companyId, EVER)).filter(({ order_count }) => order_count > 0),
    countries: await readOrderOrigins(service.db, companyId, 'country', EVER),
    products: await readProductSales(service.db, companyId, EVER, 100),
  }
}

const pending = async () => (await service.db.selectFrom('order_changes').select('id').execute()).length

describe('changes of orders', () => {
  before(async () => {
    shop = await service.openShop()
    film = await aFilm(service, shop, 1000)
    customer = await aCustomer(shop, { addresses: [{ city: 'Berlin', country_code: 'DE' }] })
  })

  test('are counted at once, and when they are added up', async () => {
    const first = await sellOne()
    await sellOne()
    await refund(shop, first.id, { amount: 400 })
    const now = await counted(shop.companyId)
    assert.deepEqual(
      now.days.map(({ order_count, order_amount, digital_amount }) => [order_count, order_amount, digital_amount]),
      [[2, 1600, 1600]],
    )
    assert.deepEqual(
      now.products.map(({ count, amount }) => [count, amount]),
      [[2, 1600]],
    )
    assert.ok((await pending()) > 0)
    await foldChanges(service.db)
    assert.equal(await pending(), 0)
    assert.deepEqual(await counted(shop.companyId), now)
  })

  test('are added up once, even if the worker dies in between', async () => {
    await sellOne()
    const now = await counted(shop.companyId)
    let folding: Promise<unknown> = Promise.resolve()
    await inTransaction(service.db, async (tx) => {
      await sql`select day from order_days where company_id = ${shop.companyId} for update`.execute(tx)
      folding = assert.rejects(foldChanges(service.db))
      await untilWaiting(service, 1)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(tx)
      await folding
    })
    assert.deepEqual(await counted(shop.companyId), now)
    assert.ok((await pending()) > 0)
    await Promise.all([foldChanges(service.db), foldChanges(service.db)])
    assert.equal(await pending(), 0)
    assert.deepEqual(await counted(shop.companyId), now)
  })

  test('stay when the orders are counted from scratch, also those that are made in the meantime', async () => {
    const [first, second] = [await sellOne(), await sellOne()]
    await foldChanges(service.db)
    await sql`update order_days set order_count = order_count + 3 where company_id = ${shop.companyId}`.execute(
      service.db,
    )
    for (const table of ['order_product_days', 'order_product_months'])
      await sql`delete from ${sql.table(table)} where company_id = ${shop.companyId}`.execute(service.db)
    await Promise.all([
      inTransaction(service.db, (tx) => resetCounts(tx, shop.companyId)),
      cancel(shop, first.id),
      refund(shop, second.id),
      sellOne(),
      foldChanges(service.db),
    ])
    await foldChanges(service.db)
    const now = await counted(shop.companyId)
    await inTransaction(service.db, (tx) => resetCounts(tx, shop.companyId))
    assert.deepEqual(await counted(shop.companyId), now)
    assert.deepEqual(
      now.days.map(({ order_count, order_amount }) => [order_count, order_amount]),
      [[5, 3600]],
    )
  })

  // PostgreSQL looks at the table when it is empty, and once compared each change with all others until its time was over.
  test('are added up in time, also when very many have waited', async () => {
    const busy = await service.openShop()
    const one = await aFilm(service, busy, 1000)
    await foldChanges(service.db)
    await sql`analyze order_changes`.execute(service.db)
    await sell(busy, [{ product: one }])
    const columns = sql.raw(`order_id, amount, utc_day, financial_status, fulfillment_status, day, source_name,
      operating_system, country_code, referrer, record, products`)
    await sql`insert into order_changes (company_id, ${columns})
      select company_id, ${columns} from order_changes cross join generate_series(1, 29999)
      where company_id = ${busy.companyId}`.execute(service.db)
    await foldChanges(service.db)
    assert.equal(await pending(), 0)
    const [day] = await readOrderDays(service.db, busy.companyId, EVER)
    assert.deepEqual([day?.order_count, day?.order_amount], [30_000, 30_000_000])
  })

  test('are not added up while the orders are counted from scratch', async () => {
    await sellOne()
    const before = await pending()
    await inTransaction(service.db, async (tx) => {
      await sql`lock table order_days in share row exclusive mode`.execute(tx)
      await foldChanges(service.db)
      assert.equal(await pending(), before)
    })
  })

  test('are added up by the worker, which also counts from scratch where a migration asks for it', async () => {
    const now = await counted(shop.companyId)
    for (const table of [
      'order_changes',
      'order_days',
      'order_origin_days',
      'order_product_days',
      'order_product_months',
    ])
      await sql`delete from ${sql.table(table)}`.execute(service.db)
    await sql`insert into order_recounts values (${shop.companyId})`.execute(service.db)
    await resetAskedCounts(service.db)
    assert.deepEqual(await counted(shop.companyId), now)
    assert.deepEqual(await service.db.selectFrom('order_recounts').selectAll().execute(), [])
    await sellOne()
    const { db, clock, files, vault } = service
    const log = createLog('debug', { write: () => {} })
    const outbound = createOutbound({})
    const notices = createNotices(poolOf(db), log)
    const parts = { db, notices, vault, clock, log, files, outbound, metrics: createMetrics(), mail: undefined }
    const worker = createWorker({
      ...parts,
      dns: createDns(),
      ownHost: 'localhost',
      uploadFolder: '.uploads',
      currencyRatesUrl: '',
      serviceUrls: { gateways: {}, vies: '' },
      baseUrl: 'http://localhost',
      failedJobDays: 30,
    })
    worker.start()
    const deadline = Date.now() + PATIENCE_MS
    while ((await pending()) > 0) assert.ok(Date.now() < deadline)
    await worker.stop()
    await outbound.close()
  })
})
