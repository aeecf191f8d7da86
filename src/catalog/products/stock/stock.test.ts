import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { WARN_OF_STOCK } from '#selling/orders/mails/jobs.ts'
import { readCustomer } from '#test/customers.ts'
import { anOffer, assertPresentedFresh, eventsOf, readProduct } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, anOrder, order, setCompany, someGoods } from '#test/orders.ts'

const service = useService()

const stockOf = async (shop: Shop, id: number) => (await readProduct(shop, id)).items_in_stock

async function updatesOf(shop: Shop, id: number): Promise<number> {
  const events = await eventsOf(service, shop)
  return events.filter(({ topic, data }) => topic === 'product/update' && data.id === `${id}`).length
}

function warnings(shop: Shop) {
  return service.db
    .selectFrom('jobs')
    .select('data')
    .where('company_id', '=', shop.companyId)
    .where('kind', '=', WARN_OF_STOCK.name)
    .orderBy('id')
    .execute()
}

describe('the stock', () => {
  test('goes down with an order and up when it is cancelled, and the product shows it', async () => {
    const shop = await service.openShop()
    const buyer = await aBuyer(shop)
    const mug = await someGoods(service, shop, 10)
    service.clock.advance(5)
    const { id } = await anOrder(shop, buyer, [
      { product_id: mug.product_id, quantity: 2 },
      { product_id: mug.product_id, quantity: 3 },
    ])
    const shown = await readProduct(shop, mug.id)
    assert.equal(shown.items_in_stock, 5)
    assert.notEqual(shown.updated_at, mug.updated_at)
    assert.equal(await updatesOf(shop, mug.id), 1, 'one event, however many lines')
    await shop.delete(`/api/orders/${id}.json`)
    assert.equal(await stockOf(shop, mug.id), 10)
    assert.equal(await updatesOf(shop, mug.id), 2)
    await shop.delete(`/api/orders/${id}.json`)
    assert.equal(await stockOf(shop, mug.id), 10, 'cancelled twice, given back once')
    assert.equal(await updatesOf(shop, mug.id), 2)
    await assertPresentedFresh(service, shop, mug.id)
  })

  test('emits product/update when a request changes it, and nothing when it stays', async () => {
    const shop = await service.openShop()
    const mug = await someGoods(service, shop, 10)
    const put = (items_in_stock: number) => shop.put(`/api/products/${mug.id}.json`, { product: { items_in_stock } })
    service.clock.advance(5)
    const { body } = await put(7)
    assert.notEqual(body.product.updated_at, mug.updated_at)
    assert.equal(await updatesOf(shop, mug.id), 1)
    await put(7)
    assert.equal(await updatesOf(shop, mug.id), 1)
  })

  test('emits nothing for goods that are not managed, for test orders and for sales that are refused', async () => {
    const shop = await service.openShop()
    const buyer = await aBuyer(shop)
    const [counted, uncounted] = [await someGoods(service, shop, 1), await someGoods(service, shop)]
    await anOrder(shop, buyer, [uncounted])
    await anOrder(shop, buyer, [counted], { test: true })
    const much = [{ product_id: counted.product_id, quantity: 2 }]
    assert.equal((await order(shop, { customer_token: buyer.token, line_items: much })).status, 422)
    assert.deepEqual([await updatesOf(shop, counted.id), await updatesOf(shop, uncounted.id)], [0, 0])
  })

  test('is not checked for goods that are not managed', async () => {
    const shop = await service.openShop()
    const mug = await someGoods(service, shop)
    await anOrder(shop, await aBuyer(shop), [{ product_id: mug.product_id, quantity: 1000 }])
    assert.equal(await stockOf(shop, mug.id), null)
  })

  test('gives the last one to one buyer, however many want it', async () => {
    const shop = await service.openShop()
    const mug = await someGoods(service, shop, 1)
    const buyers = await Promise.all(Array.from({ length: 20 }, () => aBuyer(shop)))
    const answers = await Promise.all(
      buyers.map(({ token }) => order(shop, { customer_token: token, line_items: [{ product_id: mug.product_id }] })),
    )
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    const refused = answers.filter(({ status }) => status !== 201)
    for (const { status, body } of refused) {
      assert.equal(status, 422)
      assert.deepEqual(body.errors, { 'line_items[0].quantity': ['is more than there is: it is sold out'] })
    }
    assert.equal(await stockOf(shop, mug.id), 0)
    assert.equal((await shop.get('/api/orders/count.json')).body.count, 1)
    const counts = await Promise.all(buyers.map(async ({ token }) => (await readCustomer(shop, token)).orders_count))
    assert.equal(
      counts.reduce((all, count) => all + count, 0),
      1,
    )
  })

  test('is locked in one order, so that sales of the same goods in opposite order all succeed', async () => {
    const shop = await service.openShop()
    const [one, other] = [await someGoods(service, shop, 100), await someGoods(service, shop, 100)]
    const buyers = await Promise.all(Array.from({ length: 16 }, () => aBuyer(shop)))
    const answers = await Promise.all(
      buyers.map(({ token }, index) => {
        const lines = [one, other].map(({ product_id }) => ({ product_id }))
        return order(shop, { customer_token: token, line_items: index % 2 === 0 ? lines : lines.toReversed() })
      }),
    )
    assert.ok(answers.every(({ status }) => status === 201))
    assert.deepEqual([await stockOf(shop, one.id), await stockOf(shop, other.id)], [84, 84])
  })

  test('is not sold below the level at which the company stops', async () => {
    const shop = await service.openShop()
    const buyer = await aBuyer(shop)
    const mug = await someGoods(service, shop, 10)
    const company = { inventory_management_active: true, stop_selling_at_stock_level_below: 8 }
    await setCompany(service, shop, company)
    const buy = (quantity: number) =>
      order(shop, { customer_token: buyer.token, line_items: [{ product_id: mug.product_id, quantity }] })
    assert.deepEqual((await buy(3)).body.errors, {
      'line_items[0].quantity': ['is more than there is: 2 left in stock'],
    })
    assert.equal((await buy(2)).status, 201)
    assert.deepEqual((await buy(1)).body.errors, {
      'line_items[0].quantity': ['is more than there is: it is sold out'],
    })
    await setCompany(service, shop, { inventory_management_active: false })
    assert.equal((await buy(1)).status, 201, 'the level counts with inventory management only')
  })

  test('that gets low is reported once', async () => {
    const shop = await service.openShop()
    const buyer = await aBuyer(shop)
    const mug = await someGoods(service, shop, 6)
    await setCompany(service, shop, { inventory_management_active: true, warn_at_stock_level_below: 5 })
    await anOrder(shop, buyer, [mug])
    assert.deepEqual(await warnings(shop), [], 'five are left, which is not below five')
    await anOrder(shop, buyer, [mug])
    await anOrder(shop, buyer, [mug])
    assert.deepEqual(await warnings(shop), [{ data: { product_id: mug.product_id, title: 'Mug', stock: 4 } }])
  })

  test("of a mirrored product is its owner's", async () => {
    const owner = await service.openShop()
    const shop = await service.openShop()
    const mug = await someGoods(service, owner, 5)
    await setCompany(service, owner, { inventory_management_active: true, warn_at_stock_level_below: 4 })
    const marketId = await anOffer(service, owner)
    const taken = await shop.post(`/api/marketplace/${marketId}/activate.json`)
    const [mirror] = taken.body.products
    const buyer = await aBuyer(shop)
    const { id } = await anOrder(shop, buyer, [{ product_id: mirror.product_id, quantity: 2 }])
    assert.equal(await stockOf(owner, mug.id), 3)
    assert.deepEqual([(await warnings(owner)).length, (await warnings(shop)).length], [1, 0])
    assert.equal(await updatesOf(owner, mug.id), 1)
    await service.runJobs()
    assert.equal(await stockOf(shop, mirror.id), 3, 'the mirror follows')
    assert.equal(await updatesOf(shop, mirror.id), 1)
    const much = await order(shop, {
      customer_token: buyer.token,
      line_items: [{ product_id: mirror.product_id, quantity: 4 }],
    })
    assert.equal(much.status, 422)
    await shop.delete(`/api/orders/${id}.json`)
    assert.equal(await stockOf(owner, mug.id), 5)
  })
})
