import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCustomer, readCustomer } from '#test/customers.ts'
import { useService } from '#test/harness.ts'
import { aFilm, readOrder } from '#test/orders.ts'
import { aGood, cancel, refund, sell, stockOf } from '#test/sales.ts'
import { readOrders } from '../queries.ts'

const service = useService()

describe('a refund, in the numbers of the customer,', () => {
  test('counts nothing and puts nothing back for a test', async () => {
    const shop = await service.openShop()
    const cup = await aGood(service, shop, 1000, 10)
    const order = await sell(shop, [{ product: cup, quantity: 2 }], { test: true })
    const made = await refund(shop, order.id, { all: true, restock: true })
    assert.equal(made.transactions[0].test, true)
    assert.equal(await stockOf(shop, cup), 10)
    assert.equal((await readCustomer(shop, order.customer_token)).total_spent, 0)
    assert.equal((await readOrder(shop, order.id)).financial_status, 'refunded')
  })

  test('is in the currency of the order, and comes to what was counted for it in the currency of the company', async () => {
    const shop = await service.openShop()
    const customer = await aCustomer(shop)
    const order = await sell(shop, [{ product: await aFilm(service, shop, 1001), quantity: 3 }], {
      currency: 'USD',
      customer,
    })
    assert.equal(order.currency, 'USD')
    const [{ home_cents } = { home_cents: 0 }] = await readOrders(service.db, shop.companyId, [order.id])
    const line_item_id = order.line_items[0].id
    const spent = async () => (await readCustomer(shop, customer.token)).total_spent
    assert.equal(await spent(), home_cents)
    await refund(shop, order.id, { refund_line_items: [{ line_item_id, quantity: 1 }] })
    assert.ok((await spent()) > 0 && (await spent()) < home_cents)
    await refund(shop, order.id, { amount: 7 })
    await refund(shop, order.id)
    assert.equal(await spent(), 0)
    const [after] = await readOrders(service.db, shop.companyId, [order.id])
    assert.equal(after!.home_refunded_cents, home_cents)
  })

  test('does without a customer whom the company no longer knows', async () => {
    const shop = await service.openShop()
    const order = await sell(shop, [{ product: await aFilm(service, shop, 1000) }])
    assert.equal((await shop.delete(`/api/customers/${order.customer_token}.json`)).status, 200)
    await refund(shop, order.id, { amount: 100 })
    assert.equal((await readOrder(shop, order.id)).financial_status, 'partially_refunded')
  })

  // The totals restart with the relation, and earlier orders do not count.
  test('takes nothing from the totals of a customer whom the company added again', async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    const customer = await aCustomer(shop)
    const film = await aFilm(service, shop, 1000)
    const [first, second] = [
      await sell(shop, [{ product: film }], { customer }),
      await sell(shop, [{ product: film }], { customer }),
    ]
    await aCustomer(other, { email: customer.email })
    assert.equal((await shop.delete(`/api/customers/${customer.token}.json`)).status, 200)
    service.clock.advance(1)
    await aCustomer(shop, { email: customer.email })
    await refund(shop, first.id)
    await cancel(shop, second.id)
    const { orders_count, total_spent, last_order_id } = await readCustomer(shop, customer.token)
    assert.deepEqual(
      { orders_count, total_spent, last_order_id },
      { orders_count: 0, total_spent: 0, last_order_id: 0 },
    )
    const third = await sell(shop, [{ product: film }], { customer })
    await refund(shop, third.id, { amount: 1 })
    await cancel(shop, third.id)
    const after = await readCustomer(shop, customer.token)
    assert.deepEqual([after.orders_count, after.total_spent, after.last_order_id], [0, 0, 0])
  })
})
