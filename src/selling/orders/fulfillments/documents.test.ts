import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { rebuild } from '#program/rebuild.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aShippingMethod, readOrder } from '#test/orders.ts'
import { aFilm, anOrderOfGoods, orderOf, readFulfillment, ship, someGoods } from '#test/shipping.ts'
import { presentOrder } from '../present.ts'
import { lockOrder, readOrders } from '../queries.ts'
import { refreshFulfillment } from './commands.ts'
import { presentFulfillment } from './present.ts'
import { readFulfillments } from './queries.ts'

const service = useService()

/** What is stored of an order and of its fulfillment is what the presenters make of the rows now. */
async function assertPresentedFresh(shop: Shop, id: number): Promise<void> {
  const orders = await readOrders(service.db, shop.companyId, [id])
  const fulfillments = await readFulfillments(service.db, shop.companyId, orders)
  assert.deepEqual([orders.length, fulfillments.length], [1, 1])
  const stored = (table: 'orders' | 'fulfillments') =>
    service.db
      .selectFrom(table)
      .select('document')
      .where('company_id', '=', shop.companyId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  assert.equal((await stored('orders')).document, asciiJson(presentOrder(orders[0]!)))
  assert.equal((await stored('fulfillments')).document, asciiJson(presentFulfillment(fulfillments[0]!)))
}

/** Gives goods of a line back, as a refund does: the order is locked, its line changes, and the fulfillment follows. */
async function giveBack(shop: Shop, order: Wire, line: number, quantity: number): Promise<void> {
  await inTransaction(service.db, async (tx) => {
    await lockOrder(tx, shop.companyId, String(order.id))
    await sql`update order_lines set refunded_quantity = refunded_quantity + ${quantity}
      where company_id = ${shop.companyId} and id = ${order.line_items[line].id}`.execute(tx)
    const after = await lockOrder(tx, shop.companyId, String(order.id))
    await refreshFulfillment(tx, after, nowInSeconds(service.clock))
  })
}

const quantities = async (shop: Shop, id: number): Promise<number[]> =>
  (await readFulfillment(shop, id)).line_items.map(({ Quantity }: Wire) => Quantity)

describe('the stored documents', () => {
  test('are what the presenters make of the rows, after every change', async () => {
    const shop = await service.openShop()
    await aShippingMethod(service, shop, {
      tracking_company: 'Bote Ü',
      tracking_url: 'https://t.example.com/{tracking_number}',
    })
    const order = await orderOf(shop, [await someGoods(service, shop, { title: 'Öl' }), await aFilm(service, shop)])
    const changes = [
      () => shop.put(`/api/fulfillments/${order.id}.json`, { fulfillment: { tracking_number: 'ß' } }),
      () => shop.put(`/api/orders/${order.id}.json`, { order: { shipping_address: { city: 'Zürich' } } }),
      () => shop.put(`/api/fulfillments/${order.id}.json`, { fulfillment: { status: 100 } }),
      () => shop.put(`/api/fulfillments/${order.id}.json`, { fulfillment: { tracking_number: '2' } }),
      () => shop.put(`/api/orders/${order.id}.json`, { order: { po_number: '7' } }),
      () => shop.delete(`/api/orders/${order.id}.json`),
    ]
    await assertPresentedFresh(shop, order.id)
    for (const change of changes) {
      service.clock.advance(10)
      assert.equal((await change()).status, 200)
      await assertPresentedFresh(shop, order.id)
    }
  })

  test('are rewritten by rebuild, with every count, and nothing else changes', async () => {
    const partner = await service.openShop()
    const shop = await service.openShop()
    await aShippingMethod(service, shop, { shipping_partner_id: partner.companyId })
    const open = await anOrderOfGoods(service, shop)
    const shipped = await anOrderOfGoods(service, shop)
    const cancelled = await anOrderOfGoods(service, shop)
    await anOrderOfGoods(service, partner)
    await ship(partner, shipped.id, { tracking_number: '1' })
    await shop.delete(`/api/orders/${cancelled.id}.json`)
    const paths = [
      '/api/fulfillments.json',
      '/api/fulfillments/open.json',
      '/api/fulfillments/complete.json',
      '/api/fulfillments/count.json',
      '/api/orders.json',
      '/api/orders/count.json',
      '/api/orders/count.json?fulfillment_status=fulfilled',
      '/api/orders/count.json?created_at_min=2000-01-01&fulfillment_status=null',
      '/api/orders.json?created_at_min=2000-01-01&created_at_max=2999-01-01',
    ]
    const look = () =>
      Promise.all([shop, partner].flatMap((who) => paths.map(async (path) => (await who.get(path)).body)))
    const before = await look()
    const rows = async () => {
      const tables = ['orders', 'order_lines', 'fulfillments'] as const
      return Promise.all(tables.map((table) => service.db.selectFrom(table).selectAll().orderBy('id').execute()))
    }
    const rowsBefore = await rows()
    await sql`update orders set document = '{}'`.execute(service.db)
    await sql`update fulfillments set document = '{}'`.execute(service.db)
    await sql`update counters set amount = amount + 7 where resource = 'fulfillments'`.execute(service.db)
    await sql`update order_counts set amount = amount + 7, first_id = 0, last_id = 0`.execute(service.db)
    service.clock.advance(60)
    const done = await rebuild(service.db)
    assert.deepEqual([done.orders, done.fulfillments], [rowsBefore[0]!.length, rowsBefore[2]!.length])
    assert.deepEqual(await rows(), rowsBefore)
    assert.deepEqual(await look(), before)
    for (const { id } of [open, shipped, cancelled]) await assertPresentedFresh(shop, id)
  })

  test('lose no change that is made while a rebuild runs', async () => {
    const shop = await service.openShop()
    const box = await someGoods(service, shop)
    const first = await orderOf(shop, [box])
    const orders = [first]
    for (let made = 0; made < 5; made += 1)
      orders.push(await orderOf(shop, [box], { customer_token: first.customer_token }))
    await Promise.all([...orders.map(({ id }) => ship(shop, id)), rebuild(service.db)])
    for (const { id } of orders) {
      await assertPresentedFresh(shop, id)
      assert.equal((await readOrder(shop, id)).fulfillment_status, 'fulfilled')
    }
    assert.deepEqual((await shop.get('/api/fulfillments/count.json')).body, { count: 6 })
    const { body } = await shop.get('/api/orders/count.json?fulfillment_status=fulfilled')
    assert.deepEqual(body, { count: 6 })
  })
})

describe('goods that are given back', () => {
  test('before they are shipped, are not shipped', async () => {
    const shop = await service.openShop()
    const [box, other] = [await someGoods(service, shop), await someGoods(service, shop)]
    const order = await orderOf(shop, [{ ...box, quantity: 3 }, other])
    await giveBack(shop, order, 0, 2)
    assert.deepEqual(await quantities(shop, order.id), [1, 1])
    await giveBack(shop, order, 1, 1)
    assert.deepEqual(await quantities(shop, order.id), [1, 0])
    await assertPresentedFresh(shop, order.id)
    await ship(shop, order.id)
    const [entry] = (await readOrder(shop, order.id)).fulfillments
    assert.deepEqual(entry.line_items, [order.line_items[0].id])
  })

  test('after they were shipped, were shipped all the same', async () => {
    const shop = await service.openShop()
    const order = await orderOf(shop, [{ ...(await someGoods(service, shop)), quantity: 3 }])
    await giveBack(shop, order, 0, 1)
    const shipped = await ship(shop, order.id)
    await giveBack(shop, order, 0, 2)
    assert.deepEqual(await quantities(shop, order.id), [2])
    assert.deepEqual(await readFulfillment(shop, order.id), shipped)
    assert.equal((await readOrder(shop, order.id)).fulfillments[0].line_items.length, 1)
    await assertPresentedFresh(shop, order.id)
  })

  test('to the last one, leave nothing to ship, for the owner and for the partner', async () => {
    const partner = await service.openShop()
    const shop = await service.openShop()
    await aShippingMethod(service, shop, { shipping_partner_id: partner.companyId })
    const order = await orderOf(shop, [{ ...(await someGoods(service, shop)), quantity: 2 }])
    await giveBack(shop, order, 0, 2)
    await giveBack(shop, order, 0, 0)
    for (const who of [shop, partner]) {
      assert.deepEqual((await who.get('/api/fulfillments/open.json')).body, { fulfillments: [] })
      assert.deepEqual((await who.get('/api/fulfillments/count.json')).body, { count: 0 })
      assert.equal((await who.get(`/api/fulfillments/${order.id}.json`)).status, 404)
      const put = await who.put(`/api/fulfillments/${order.id}.json`, { fulfillment: { status: 100 } })
      assert.equal(put.status, 404)
    }
    assert.equal((await readOrder(shop, order.id)).fulfillment_status, null)
  })
})
