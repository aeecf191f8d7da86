import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Shop, useService } from '#test/harness.ts'
import { aFilm, readOrder } from '#test/orders.ts'
import { aGood, askRefund, refund, sell, stockOf } from '#test/sales.ts'

const service = useService()

const calculate = (shop: Shop, orderId: number, input: object) =>
  shop.post(`/api/orders/${orderId}/refunds/calculate.json`, { refund: input })

async function aSale() {
  const shop = await service.openShop()
  const [film, cup] = [await aFilm(service, shop, 1299), await aGood(service, shop, 333, 10)]
  const order = await sell(shop, [{ product: film }, { product: cup, quantity: 3 }])
  return { shop, cup, order, lines: order.line_items.map(({ id }: { id: number }) => id) }
}

describe('POST /api/orders/{id}/refunds/calculate.json', () => {
  test('says what the refund gives back, and changes nothing', async () => {
    const { shop, cup, order, lines } = await aSale()
    const before = await readOrder(shop, order.id)
    const input = { refund_line_items: [{ line_item_id: lines[1], quantity: 2 }], restock: true, note: 'Broken' }
    const { status, body } = await calculate(shop, order.id, input)
    assert.equal(status, 200)
    assert.deepEqual(body.refund_calculation, {
      amount: 666,
      tax: 106,
      left: order.total_price - 666,
      currency: order.currency,
      gateway: 'Manual',
      refund_line_items: [{ line_item_id: lines[1], quantity: 2, amount: 666 }],
    })
    assert.deepEqual(await readOrder(shop, order.id), before)
    assert.equal(await stockOf(shop, cup), 7)
    const made = await refund(shop, order.id, input)
    assert.equal(made.transactions[0].amount, body.refund_calculation.amount)
  })

  test('knows what was given back before', async () => {
    const { shop, order, lines } = await aSale()
    await refund(shop, order.id, { refund_line_items: [{ line_item_id: lines[0] }] })
    const { body } = await calculate(shop, order.id, { all: true })
    assert.deepEqual([body.refund_calculation.amount, body.refund_calculation.left], [999, 0])
  })

  test('is refused for the same reasons as the refund', async () => {
    const { shop, order, lines } = await aSale()
    const inputs = [{}, { amount: 999_999 }, { refund_line_items: [{ line_item_id: lines[0], quantity: 2 }] }]
    for (const input of inputs) {
      const [calculated, asked] = [await calculate(shop, order.id, input), await askRefund(shop, order.id, input)]
      assert.equal(calculated.status, 422)
      assert.deepEqual(calculated.body.field_errors, asked.body.field_errors)
    }
    assert.equal((await calculate(await service.openShop(), order.id, { all: true })).status, 404)
  })
})
