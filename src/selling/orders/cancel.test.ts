import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCustomer, readCustomer } from '#test/customers.ts'
import { useService } from '#test/harness.ts'
import { aDiscountCode, readOrder } from '#test/orders.ts'
import { aGood, assertNumbers, cancel, refund, sell, stockOf } from '#test/sales.ts'
import { readOrders } from './queries.ts'

const service = useService()

describe('a cancelled order', () => {
  test('that was refunded in part gives back the rest, and only that', async () => {
    const shop = await service.openShop()
    const cup = await aGood(service, shop, 1000, 10)
    const customer = await aCustomer(shop, { addresses: [{ city: 'Berlin', country_code: 'DE' }] })
    const kept = await sell(shop, [{ product: cup }], { customer })
    const order = await sell(shop, [{ product: cup, quantity: 5 }], { customer })
    const line_item_id = order.line_items[0].id
    await refund(shop, order.id, { restock: true, refund_line_items: [{ line_item_id, quantity: 1 }] })
    // These are broken: they are not put back, and the cancellation does not put them back either.
    await refund(shop, order.id, { restock: false, refund_line_items: [{ line_item_id, quantity: 2 }] })
    assert.equal(await stockOf(shop, cup), 5)
    await cancel(shop, order.id)
    assert.equal(await stockOf(shop, cup), 7)
    const [state] = await readOrders(service.db, shop.companyId, [order.id])
    assert.equal(state!.lines[0]!.stock_taken, 2)
    await assertNumbers(shop, customer.token)
    const { total_spent, orders_count, last_order_id } = await readCustomer(shop, customer.token)
    assert.deepEqual(
      { total_spent, orders_count, last_order_id },
      { total_spent: 1000, orders_count: 1, last_order_id: kept.id },
    )
    assert.equal((await readOrder(shop, order.id)).financial_status, 'partially_refunded')
    await cancel(shop, order.id)
    assert.equal(await stockOf(shop, cup), 7, 'a second cancellation changes nothing')
  })

  test('that was refunded in full changes no number but that of orders', async () => {
    const shop = await service.openShop()
    const cup = await aGood(service, shop, 1000, 10)
    const order = await sell(shop, [{ product: cup, quantity: 2 }])
    await refund(shop, order.id, { all: true, restock: true })
    await cancel(shop, order.id)
    assert.equal(await stockOf(shop, cup), 10)
    await assertNumbers(shop, order.customer_token)
  })

  test('gives its discount code back, so that another order can use it', async () => {
    const shop = await service.openShop()
    const cup = await aGood(service, shop)
    await aDiscountCode(service, shop, { code: 'ONCE', usage_limit: 1 })
    const discount_codes = [{ code: 'ONCE' }]
    const first = await sell(shop, [{ product: cup }], { discount_codes })
    const { token } = await aCustomer(shop, { addresses: [{ city: 'Berlin', country_code: 'DE' }] })
    const again = { customer_token: token, line_items: [{ product_id: cup.product_id }], discount_codes }
    assert.equal((await shop.post('/api/orders.json', { order: again })).status, 422)
    await cancel(shop, first.id)
    assert.equal((await shop.post('/api/orders.json', { order: again })).status, 201)
  })
})
