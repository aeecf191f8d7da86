import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder, order, someGoods } from '#test/orders.ts'
import { foldChanges } from './counts/fold.commands.ts'
import { countsOf } from './counts/queries.ts'
import { resetCounts } from './counts/reset.commands.ts'

const service = useService()
const DAY = 86_400

let shop: Shop
let orders: Wire[]
let buyers: Wire[]

/** Makes what a refund will make, so that there are orders of every status. */
async function setStatus(id: number, financial: string): Promise<void> {
  const { body } = await shop.get(`/api/orders/${id}.json`)
  const { customer: _customer, ...document } = body.order
  await service.db
    .updateTable('orders')
    .set({ financial_status: financial, document: JSON.stringify({ ...document, financial_status: financial }) })
    .where('company_id', '=', shop.companyId)
    .where('id', '=', id)
    .execute()
}

async function fill(): Promise<void> {
  service.clock.stop()
  shop = await service.openShop()
  const [film, mug] = [await aFilm(service, shop), await someGoods(service, shop)]
  buyers = [await aBuyer(shop), await aBuyer(shop)]
  const ids: number[] = []
  for (let nth = 0; nth < 24; nth += 1) {
    const lines = nth % 4 === 0 ? [mug] : nth % 4 === 1 ? [film, mug] : [film]
    ids.push((await anOrder(shop, buyers[nth % 2], lines)).id)
    service.clock.advance(DAY / 4 + 7)
    shop = await shop.asUser(shop.userId)
  }
  for (const [index, id] of ids.entries()) {
    if (index % 6 === 2) await setStatus(id, 'refunded')
    if (index % 6 === 3) await setStatus(id, 'partially_refunded')
  }
  await inTransaction(service.db, (tx) => resetCounts(tx, shop.companyId))
  // Some are changed later than they were made.
  for (const id of [ids[1], ids[8]]) await shop.put(`/api/orders/${id}.json`, { order: { po_number: 'late' } })
  for (const id of [ids[4], ids[13]])
    await shop.put(`/api/orders/${id}.json`, { order: { closed_at: '2026-01-01T00:00:00' } })
  for (const id of [ids[5], ids[6], ids[7], ids[13]]) await shop.delete(`/api/orders/${id}.json`)
  orders = (await shop.get('/api/orders.json')).body.orders
}

type Query = Record<string, string>

const at = (time: string) => new Date(`${time}Z`)

function statusOf({ cancelled_at, closed_at }: Wire): string {
  if (cancelled_at !== null) return 'cancelled'
  return closed_at === null ? 'open' : 'closed'
}

/** A second, simple implementation of a query. */
function expected(query: Query): Wire[] {
  return orders.filter(
    (each) =>
      (query.ids === undefined || query.ids.split(',').includes(String(each.id))) &&
      (query.since_id === undefined || each.id > Number(query.since_id)) &&
      (query.created_at_min === undefined || at(each.created_at) >= at(query.created_at_min)) &&
      (query.created_at_max === undefined || at(each.created_at) <= at(query.created_at_max)) &&
      (query.updated_at_min === undefined || at(each.updated_at) >= at(query.updated_at_min)) &&
      (['any', undefined].includes(query.financial_status) || each.financial_status === query.financial_status) &&
      (['any', undefined].includes(query.status) || statusOf(each) === query.status) &&
      (['any', undefined].includes(query.fulfillment_status) ||
        (each.cancelled_at === null && String(each.fulfillment_status) === query.fulfillment_status)) &&
      (query.customer_token === undefined || each.customer.token === query.customer_token) &&
      (query.q === undefined || each.customer.last_name.startsWith(query.q)) &&
      (query.product_id === undefined ||
        each.line_items.some(({ product_id }: Wire) => product_id === query.product_id)),
  )
}

async function assertAsked(query: Query): Promise<number> {
  const search = new URLSearchParams(query).toString()
  const listed = await shop.get(`/api/orders.json?${search}`)
  assert.equal(listed.status, 200, listed.text)
  assert.deepEqual(
    listed.body.orders.map(({ id }: Wire) => id),
    expected(query).map(({ id }) => id),
    search,
  )
  assert.equal((await shop.get(`/api/orders/count.json?${search}`)).body.count, expected(query).length, search)
  return expected(query).length
}

describe('a list of orders', () => {
  before(fill)

  test('holds all of them, as they are read alone', async () => {
    assert.equal(orders.length, 24)
    for (const each of orders.slice(0, 3))
      assert.deepEqual((await shop.get(`/api/orders/${each.id}.json`)).body.order, each)
  })

  test('is narrowed by each filter alone and by any two together, and so is the count', async () => {
    const [early, late] = [orders[5].created_at, orders[17].created_at]
    const alone: Query[] = [
      { ids: [orders[3], orders[9], orders[4]].map(({ id }) => id).join(',') },
      { since_id: String(orders[10].id) },
      { created_at_min: early },
      { created_at_max: late },
      { created_at_min: `${early.slice(0, 10)}T00:00:00` },
      { created_at_max: `${late.slice(0, 10)}T23:59:59` },
      { updated_at_min: late },
      { financial_status: 'paid' },
      { financial_status: 'refunded' },
      { financial_status: 'partially_refunded' },
      { financial_status: 'any' },
      { fulfillment_status: 'fulfilled' },
      { fulfillment_status: 'partial' },
      { fulfillment_status: 'null' },
      { fulfillment_status: 'any' },
      { status: 'open' },
      { status: 'closed' },
      { status: 'cancelled' },
      { status: 'any' },
      { customer_token: buyers[1].token },
      { q: 'Ro' },
      { product_id: orders[0].line_items[0].product_id },
    ]
    let found = 0
    for (const [index, one] of alone.entries()) {
      assert.ok((await assertAsked(one)) > 0, JSON.stringify(one))
      for (const other of alone.slice(index + 1)) found += await assertAsked({ ...one, ...other })
    }
    assert.ok(found > 100)
    await assertAsked(Object.assign({}, ...alone, { created_at_min: early, created_at_max: late }))
  })

  // The days bound the ids: one that is off by a day shows where the day of the time has no more orders of its own.
  test('begins and ends at the requested times, between any two orders', async () => {
    const off = (time: string, seconds: number) =>
      new Date(at(time).getTime() + seconds * 1000).toISOString().slice(0, 19)
    for (const { created_at } of orders) {
      await assertAsked({ created_at_min: off(created_at, 1) })
      await assertAsked({ created_at_max: off(created_at, -1) })
    }
    for (const time of ['0000-01-01T00:00:00', '0001-01-01T12:00:00', '9999-12-31T23:59:59']) {
      await assertAsked({ created_at_min: time })
      await assertAsked({ created_at_max: time })
    }
  })

  test('is walked through in pages, with every filter', async () => {
    for (const filter of [
      '',
      '&updated_at_min=2020-01-01',
      '&financial_status=paid',
      `&created_at_min=${orders[4].created_at}`,
    ]) {
      const walked: number[] = []
      let next: string | undefined = `/api/orders.json?limit=5${filter}`
      while (next !== undefined) {
        const page = await shop.get(next)
        walked.push(...page.body.orders.map(({ id }: Wire) => id))
        next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]?.replace(service.url, '')
      }
      const whole = (await shop.get(`/api/orders.json?${filter.slice(1)}`)).body.orders
      assert.deepEqual(
        walked,
        whole.map(({ id }: Wire) => id),
        filter,
      )
    }
  })

  test('takes times in every spelling', async () => {
    const { created_at } = orders[6]
    const spellings = [
      created_at,
      created_at.replace('T', ' '),
      `${created_at}Z`,
      `${created_at}+00:00`,
      `${created_at.slice(0, 16)}`,
      created_at.slice(0, 10),
    ]
    for (const spelling of spellings) {
      const { status } = await shop.get(`/api/orders.json?created_at_min=${encodeURIComponent(spelling)}`)
      assert.equal(status, 200, spelling)
    }
    for (const path of ['orders.json', 'orders/count.json']) {
      const wrong = await shop.get(`/api/${path}?created_at_min=yesterday`)
      assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [422, ['created_at_min']])
      assert.equal((await shop.get(`/api/${path}?financial_status=open`)).status, 422)
    }
  })

  test('is empty for strangers and strange questions', async () => {
    const stranger = await service.openShop()
    assert.deepEqual((await stranger.get('/api/orders.json')).body, { orders: [] })
    assert.deepEqual((await stranger.get(`/api/orders.json?customer_token=${buyers[0].token}`)).body, { orders: [] })
    assert.deepEqual((await stranger.get(`/api/orders.json?ids=${orders[0].id}`)).body, { orders: [] })
    assert.deepEqual((await shop.get('/api/orders.json?ids=x,,-1,1e9')).body, { orders: [] })
    assert.deepEqual((await shop.get('/api/orders.json?customer_token=NOBODY')).body, { orders: [] })
    assert.deepEqual((await shop.get('/api/orders.json?created_at_min=2099-01-01')).body, { orders: [] })
    assert.deepEqual((await shop.get('/api/orders.json?created_at_max=1999-01-01')).body, { orders: [] })
  })
})

describe('kept counts', () => {
  const kept = async () =>
    (
      await sql`select day::text as day, financial_status, fulfillment_status, sum(amount) as amount
        from ${countsOf(shop.companyId)} group by 1, 2, 3 having sum(amount) <> 0 order by 1, 2, 3`.execute(service.db)
    ).rows

  test('stay the same when changes are added up, and when they are recounted', async () => {
    for (let nth = 0; nth < 12; nth += 1)
      await order(shop, {
        customer_token: buyers[0].token,
        line_items: [{ product_id: orders[2].line_items[0].product_id }],
      })
    const before = await kept()
    assert.ok(before.length > 0)
    await foldChanges(service.db)
    assert.deepEqual(await service.db.selectFrom('order_changes').select('id').execute(), [])
    assert.deepEqual(await kept(), before)
    await inTransaction(service.db, (tx) => resetCounts(tx, shop.companyId))
    assert.deepEqual(await kept(), before)
  })
})

async function found(shop: Shop, filter: string): Promise<number[]> {
  const { orders } = (await shop.get(`/api/orders.json?sort=-id&${filter}`)).body
  const ids = orders.map(({ id }: Wire) => id)
  assert.equal((await shop.get(`/api/orders/count.json?${filter}`)).body.count, ids.length, filter)
  return ids
}

describe('orders of many', () => {
  test('are found by a name that hundreds of customers have', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    const [roe, other] = [await aBuyer(shop), await aBuyer(shop, 'DE', { last_name: 'Other' })]
    const [first, , third] = [
      await anOrder(shop, roe, [film]),
      await anOrder(shop, other, [film]),
      await anOrder(shop, roe, [film]),
    ]
    await sql`with added as (
        insert into customers (token, email, language, state, verified_email, created_at, updated_at)
        select upper(translate(md5(nr::text), '0123456789', 'ghijklmnop'))::char(16), nr || '@many.example', language, state,
          verified_email, created_at, updated_at
        from customers, generate_series(1, 301) as nr where token = ${roe.token} returning id)
      insert into customer_relations select (json_populate_record(relation,
          json_build_object('customer_id', added.id))).*
        from added, customer_relations as relation
        where relation.company_id = ${shop.companyId} and relation.customer_id = ${roe.id}`.execute(service.db)
    assert.deepEqual(await found(shop, 'q=roe'), [third.id, first.id])
    assert.deepEqual(await found(shop, `q=roe&since_id=${first.id}`), [third.id])
    assert.deepEqual(await found(shop, 'q=roe&updated_at_min=2000-01-01'), [third.id, first.id])
    assert.deepEqual(await found(shop, 'q=roe&financial_status=refunded'), [])
  })

  test('are found by a product that was sold thousands of times', async () => {
    const shop = await service.openShop()
    const [film, short] = [await aFilm(service, shop), await aFilm(service, shop)]
    const buyer = await aBuyer(shop)
    const ids: number[] = []
    for (let nth = 0; nth < 13; nth += 1)
      ids.unshift(
        (
          await anOrder(
            shop,
            buyer,
            Array.from({ length: 250 }, () => film),
            { generate_codes: true },
          )
        ).id,
      )
    await anOrder(shop, buyer, [short])
    assert.deepEqual(await found(shop, `product_id=${film.product_id}`), ids)
    assert.deepEqual(await found(shop, `product_id=${film.product_id.toLowerCase()}&q=roe`), ids)
    assert.deepEqual(await found(shop, 'product_id=nothing'), [])
  })
})
