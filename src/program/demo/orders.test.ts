import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { readCustomerIds } from '#people/customers/queries.ts'
import { refreshCustomers } from '#people/customers/relations.commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { countsOf } from '#selling/orders/counts/queries.ts'
import { resetCounts } from '#selling/orders/counts/reset.commands.ts'
import { dayOf } from '#selling/orders/counts/rules.ts'
import { presentFulfillment } from '#selling/orders/fulfillments/present.ts'
import { readFulfillments } from '#selling/orders/fulfillments/queries.ts'
import { readOrderIds, readOrders } from '#selling/orders/queries.ts'
import { documentOf } from '#selling/orders/rows.commands.ts'
import type { OrderState } from '#selling/orders/state.ts'
import { correctCartDays } from '#shop/checkout/abandoned/commands.ts'
import { readCartDays } from '#shop/checkout/abandoned/queries.ts'
import { useService } from '#test/harness.ts'
import { seedOrders } from './orders.ts'
import { readCatalog } from './sales.ts'
import { seedShop } from './seed.ts'
import { seedVisits } from './visits.ts'

const ORDERS = 400
const DAY_MS = 86_400_000
const service = useService()

async function aFilledShop(seed = 1) {
  const shop = await service.openShop()
  const now = nowInSeconds(service.clock)
  await seedShop(service.db, { companyId: shop.companyId, products: 40, seed: 3, now })
  const done: number[] = []
  const catalog = await readCatalog(service.db, shop.companyId, now)
  await seedOrders(service.db, catalog, { orders: ORDERS, seed, now, onProgress: (count) => done.push(count) })
  assert.equal(done.at(-1), ORDERS)
  const ids = await readOrderIds(service.db, shop.companyId, 0, ORDERS + 1)
  return { shop, now, ids, orders: await readOrders(service.db, shop.companyId, ids) }
}

const sumOf = <Row>(rows: readonly Row[], cents: (row: Row) => number) =>
  rows.reduce((total, row) => total + cents(row), 0)

test('stored documents and counts of seeded orders, fulfillments and customers match their rows', async () => {
  const { shop, ids, orders } = await aFilledShop()
  const { companyId } = shop
  assert.equal(ids.length, ORDERS)
  const read = async (table: 'orders' | 'fulfillments' | 'customer_relations', key: string) => {
    const found = sql<{ id: number; document: string }>`select ${sql.ref(key)} as id, document from ${sql.table(table)}
      where company_id = ${companyId} order by 1`
    return (await found.execute(service.db)).rows
  }
  assert.deepEqual(
    await read('orders', 'id'),
    orders.map((order) => ({ id: order.id, document: documentOf(order) })),
  )
  const fulfillments = await readFulfillments(service.db, companyId, orders)
  assert.deepEqual(
    await read('fulfillments', 'id'),
    fulfillments.map((fulfillment) => ({ id: fulfillment.id, document: asciiJson(presentFulfillment(fulfillment)) })),
  )
  const customers = await read('customer_relations', 'customer_id')
  assert.equal(customers.length, ORDERS / 10)
  const counts = async () =>
    (
      await sql`select day::text as day, financial_status, fulfillment_status, sum(amount), min(first_id), max(last_id)
        from ${countsOf(companyId)} group by 1, 2, 3 order by 1, 2, 3`.execute(service.db)
    ).rows
  const counted = await counts()
  await inTransaction(service.db, async (tx) => {
    await refreshCustomers(tx, companyId, await readCustomerIds(tx, companyId, 0, ORDERS))
  })
  await inTransaction(service.db, (tx) => resetCounts(tx, companyId))
  assert.deepEqual(await read('customer_relations', 'customer_id'), customers)
  assert.deepEqual(await counts(), counted)
  assert.equal((await shop.get('/api/orders/count.json')).body.count, ORDERS)
  assert.equal((await shop.get('/api/customers/count.json')).body.count, ORDERS / 10)
  const shown = fulfillments.filter(({ cancelled }) => !cancelled).length
  assert.equal((await shop.get('/api/fulfillments/count.json')).body.count, shown)
})

test('seeded orders lie in the last two years, in the order of their ids, and their totals add up', async () => {
  const { now, orders } = await aFilledShop()
  const times = orders.map(({ created_at }) => created_at.getTime())
  assert.deepEqual(
    times,
    times.toSorted((one, other) => one - other),
  )
  assert.ok(times[0]! >= now.getTime() - 730 * DAY_MS && times.at(-1)! <= now.getTime())
  assert.ok(times.at(-1)! - times[0]! > 700 * DAY_MS)
  for (const order of orders) {
    assert.ok(order.updated_at >= order.created_at && order.updated_at <= now)
    assert.equal(
      order.net_cents,
      sumOf(order.lines, (line) => line.net_cents),
    )
    assert.equal(
      order.tax_cents,
      sumOf(order.lines, (line) => line.tax_cents),
    )
    assert.ok(order.total_cents > 0 && order.home_cents > 0)
    assert.equal(
      order.refunded_cents,
      sumOf(order.refunds, (refund) => refund.amount_cents),
    )
    assert.equal(
      order.home_refunded_cents,
      sumOf(order.refunds, (refund) => refund.home_cents),
    )
    assert.equal(order.financial_status, statusOf(order))
    const goods = order.lines.filter(({ kind }) => kind === 'physical')
    assert.equal(order.shipping_address !== null, goods.length > 0)
    assert.equal(order.fulfillment_status === 'fulfilled', goods.length === 0 || order.shipments.length > 0)
  }
  const has = (property: (order: OrderState) => boolean) => orders.filter(property).length
  for (const [name, count] of [
    ['refunded', has(({ financial_status }) => financial_status === 'refunded')],
    ['partly refunded', has(({ financial_status }) => financial_status === 'partially_refunded')],
    ['cancelled', has(({ cancelled_at }) => cancelled_at !== null)],
    ['shipped', has(({ shipments }) => shipments.length > 0)],
    ['not shipped', has(({ fulfillment_status }) => fulfillment_status !== 'fulfilled')],
    ['in another currency', has(({ currency }) => currency !== 'EUR')],
  ] as const)
    assert.ok(count > 0 && count < ORDERS / 2, `${name}: ${count}`)
})

function statusOf({ refunded_cents, total_cents }: OrderState): string {
  if (refunded_cents === 0) return 'paid'
  return refunded_cents === total_cents ? 'refunded' : 'partially_refunded'
}

test('the relation to a seeded customer sums up their orders', async () => {
  const { shop, orders } = await aFilledShop()
  const { customers } = (await shop.get('/api/customers.json')).body
  const bought = Map.groupBy(orders, ({ customer_token }) => customer_token)
  assert.equal(customers.length, bought.size)
  for (const customer of customers) {
    const counted = bought.get(customer.token)!.filter(({ cancelled_at }) => cancelled_at === null)
    assert.match(customer.email, /@example\.com$/)
    assert.equal(customer.orders_count, counted.length)
    assert.equal(
      customer.total_spent,
      sumOf(counted, (order) => order.home_cents - order.home_refunded_cents),
    )
    assert.equal(customer.last_order_id, counted.at(-1)?.id ?? 0)
  }
})

test('a seeded order can be read, sent back and cancelled like any other', async () => {
  const { shop, orders } = await aFilledShop()
  const { id } = orders.findLast(({ cancelled_at, refunds }) => cancelled_at === null && refunds.length === 0)!
  const { order } = (await shop.get(`/api/orders/${id}.json`)).body
  assert.equal(order.customer.last_order_id >= id, true)
  assert.equal((await shop.put(`/api/orders/${id}.json`, { order: { line_items: order.line_items } })).status, 200)
  assert.equal((await shop.delete(`/api/orders/${id}.json`)).status, 200)
  const after = (await shop.get(`/api/customers/${order.customer_token}.json`)).body.customer
  assert.equal(after.orders_count, order.customer.orders_count - 1)
})

test('the same seed makes the same orders, and another seed makes other orders', async () => {
  const what = ({ orders }: { orders: OrderState[] }) =>
    orders.map((order) => [order.created_at, order.total_cents, order.financial_status, order.shipments.length])
  service.clock.stop()
  const [one, same, other] = [await aFilledShop(7), await aFilledShop(7), await aFilledShop(8)]
  assert.deepEqual(what(one), what(same))
  assert.notDeepEqual(what(one), what(other))
})

test('seeded visits fill two years, agree with the counts of their days, and look like visits', async () => {
  const days = async (seed: number) => {
    const shop = await service.openShop()
    const now = nowInSeconds(service.clock)
    await seedShop(service.db, { companyId: shop.companyId, products: 10, seed: 3, now })
    const catalog = await readCatalog(service.db, shop.companyId, now)
    await seedVisits(service.db, catalog, { visits: 20_000, seed, now })
    const { rows } = await sql<
      Record<string, number> & { day: string }
    >`select day::text as day, extract(dow from day)::int as weekday,
        visits, page_views, visitors, repeating_visitors, bots, bounces from traffic_days
      where company_id = ${shop.companyId} and salt is null order by day`.execute(service.db)
    return { shop, now, rows }
  }
  const [{ shop, now, rows }, same, other] = [await days(4), await days(4), await days(5)]
  assert.deepEqual(rows, same.rows)
  assert.notDeepEqual(rows, other.rows)
  assert.deepEqual([rows.length, rows.at(-1)?.day], [730, dayOf(new Date(now.getTime() - DAY_MS))])
  const total = sumOf(rows, ({ visits = 0 }) => visits)
  assert.ok(Math.abs(total - 20_000) < 1000, String(total))
  const { rows: counted } =
    await sql`select day::text as day, count(*)::int as visits, sum(page_views)::int as page_views,
      count(*) filter (where page_views = 1)::int as bounces,
      count(*) filter (where visit_number > 1)::int as repeating_visitors
    from visits where company_id = ${shop.companyId} group by day order by day`.execute(service.db)
  assert.equal(counted.length, 90)
  assert.deepEqual(
    counted,
    rows.slice(-90).map(({ day, visits, page_views, bounces, repeating_visitors }) => ({
      day,
      visits,
      page_views,
      bounces,
      repeating_visitors,
    })),
  )
  const year = (from: number) => sumOf(rows.slice(from, from + 365), ({ visits = 0 }) => visits)
  assert.ok(year(365) > year(0) * 1.2, 'the shop grows')
  const onWeekday = (weekday: number) => sumOf(rows, (row) => (row.weekday === weekday ? (row.visits ?? 0) : 0))
  assert.ok(onWeekday(0) > onWeekday(2) * 1.1, 'more people come on Sundays')
  const { rows: seen } = await sql<{
    campaigns: number
    countries: number
    systems: number
    night: number
    evening: number
  }>`
    select count(distinct campaign)::int as campaigns, count(distinct country)::int as countries,
      count(distinct operating_system)::int as systems,
      count(*) filter (where extract(hour from started_at at time zone 'UTC') = 3)::int as night,
      count(*) filter (where extract(hour from started_at at time zone 'UTC') = 20)::int as evening
    from visits where company_id = ${shop.companyId}`.execute(service.db)
  const { campaigns, countries, systems, night, evening } = seen[0]!
  assert.ok(campaigns >= 1 && countries >= 5 && systems >= 5 && evening > 3 * night, JSON.stringify(seen))
  const carts = await readCartDays(service.db, shop.companyId, { from: '2000-01-01', to: '2100-01-01' })
  const begun = sumOf(carts, (day) => day.carts)
  const left = sumOf(carts, (day) => day.order_count)
  assert.ok(begun > total * 0.04 && begun < total * 0.08 && left > begun * 0.6 && left < begun * 0.8)
  assert.ok(sumOf(carts, (day) => day.order_amount) > left * 100)
  await inTransaction(service.db, (tx) => correctCartDays(tx, shop.companyId))
  assert.deepEqual(await readCartDays(service.db, shop.companyId, { from: '2000-01-01', to: '2100-01-01' }), carts)
})

test('the catalog of a shop without products is empty', async () => {
  const shop = await service.openShop()
  const catalog = await readCatalog(service.db, shop.companyId, nowInSeconds(service.clock))
  assert.equal(catalog.linesFor.size, 0)
})
