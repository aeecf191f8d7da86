import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '#platform/db/transaction.ts'
import { readProduct } from '#test/factories.ts'
import { type Answer, type Shop, useService } from '#test/harness.ts'
import { untilWaiting } from '#test/in-line.ts'
import { aShippingMethod, readOrder } from '#test/orders.ts'
import { orderOf, readFulfillment, someGoods } from '#test/shipping.ts'
import { TELL_SHIPMENT } from '../mails/jobs.ts'

const service = useService()

const STOCK = 10

/** A shop with a partner, and an order of two out of ten boxes. */
async function aSale() {
  const partner = await service.openShop()
  const shop = await service.openShop()
  await aShippingMethod(service, shop, { shipping_partner_id: partner.companyId })
  const box = await someGoods(service, shop, { manage_stock: true, items_in_stock: STOCK })
  return { shop, partner, box, order: await orderOf(shop, [{ ...box, quantity: 2 }]) }
}

async function tellings(shop: Shop): Promise<number> {
  const jobs = await service.db
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', TELL_SHIPMENT.name)
    .where('company_id', '=', shop.companyId)
    .execute()
  return jobs.length
}

/** Locks an order while these start, each when the one before waits for the lock; then releases them in that order. */
async function inLine(id: number, starts: (() => Promise<Answer>)[]): Promise<Answer[]> {
  const results: Promise<Answer>[] = []
  await inTransaction(service.db, async (tx) => {
    await sql`select id from orders where id = ${id} for update`.execute(tx)
    for (const start of starts) {
      results.push(start())
      await untilWaiting(service, results.length)
    }
  })
  return Promise.all(results)
}

describe('at the same time', () => {
  test('the owner and the partner ship once', async () => {
    const { shop, partner, order } = await aSale()
    const path = `/api/fulfillments/${order.id}.json`
    const answers = await Promise.all(
      [shop, partner, shop, partner, shop, partner].map((who, index) =>
        who.put(path, { fulfillment: { status: 100, tracking_number: `T${index}` } }),
      ),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    const after = await readOrder(shop, order.id)
    assert.deepEqual([after.fulfillment_status, after.fulfillments.length], ['fulfilled', 1])
    assert.equal(await tellings(shop), 1)
    const { body } = await shop.get('/api/orders/count.json?fulfillment_status=fulfilled')
    assert.deepEqual(body, { count: 1 })
    assert.match((await readFulfillment(partner, order.id)).tracking_number, /^T[0-5]$/)
  })

  test('what is cancelled first is not shipped, and lies in the stock again', async () => {
    const { shop, partner, box, order } = await aSale()
    const path = `/api/fulfillments/${order.id}.json`
    const answers = await inLine(order.id, [
      () => shop.delete(`/api/orders/${order.id}.json`),
      () => partner.put(path, { fulfillment: { status: 100 } }),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 404],
    )
    const after = await readOrder(shop, order.id)
    assert.deepEqual([after.fulfillment_status, after.fulfillments], [null, []])
    assert.equal((await readProduct(shop, box.id)).items_in_stock, STOCK)
    assert.equal(await tellings(shop), 0)
  })

  test('what is shipped first is cancelled as shipped, and does not come back', async () => {
    const { shop, partner, box, order } = await aSale()
    const answers = await inLine(order.id, [
      () => partner.put(`/api/fulfillments/${order.id}.json`, { fulfillment: { status: 100 } }),
      () => shop.delete(`/api/orders/${order.id}.json`),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
    const after = await readOrder(shop, order.id)
    assert.deepEqual([after.fulfillment_status, after.fulfillments.length], ['fulfilled', 1])
    assert.notEqual(after.cancelled_at, null)
    assert.equal((await readProduct(shop, box.id)).items_in_stock, STOCK - 2)
    assert.equal(await tellings(shop), 1)
    for (const who of [shop, partner])
      assert.deepEqual((await who.get('/api/fulfillments/count.json')).body, { count: 0 })
  })

  test('another address and the shipment leave order and fulfillment with the same one', async () => {
    const { shop, partner, order } = await aSale()
    for (const starts of [0, 1]) {
      const { id } = starts === 0 ? order : await orderOf(shop, [await someGoods(service, shop)])
      const work = [
        () => shop.put(`/api/orders/${id}.json`, { order: { shipping_address: { city: 'Wien' } } }),
        () => partner.put(`/api/fulfillments/${id}.json`, { fulfillment: { status: 100 } }),
      ]
      const answers = await inLine(id, starts === 0 ? work : work.reverse())
      assert.deepEqual(
        answers.map(({ status }) => status),
        starts === 0 ? [200, 200] : [200, 409],
      )
      const { shipping_address, fulfillments } = await readOrder(shop, id)
      assert.equal(fulfillments.length, 1)
      assert.deepEqual((await readFulfillment(shop, id)).customer, shipping_address)
    }
  })

  test('many orders come, ship and are cancelled, and every count is right', async () => {
    const { shop, partner, box } = await aSale()
    const { token: customer_token } = (await shop.get('/api/customers.json')).body.customers[0]
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const { id } = await orderOf(shop, [box], { customer_token })
        if (index % 2 === 0) await partner.put(`/api/fulfillments/${id}.json`, { fulfillment: { status: 100 } })
        if (index % 4 < 2) await shop.delete(`/api/orders/${id}.json`)
      }),
    )
    for (const who of [shop, partner]) {
      const { fulfillments } = (await who.get('/api/fulfillments.json')).body
      assert.equal(fulfillments.length, 5)
      assert.deepEqual((await who.get('/api/fulfillments/count.json')).body, { count: 5 })
    }
    const shipped = (await shop.get('/api/orders/count.json?fulfillment_status=fulfilled')).body.count
    assert.equal(shipped, 2, 'two of the four that were shipped are cancelled')
  })
})
