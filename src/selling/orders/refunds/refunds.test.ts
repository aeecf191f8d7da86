import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asciiJson } from '#platform/wire/times.ts'
import { readCustomer } from '#test/customers.ts'
import { aPrice, eventsOf, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aDiscountCode, aFilm, aShippingMethod, readOrder } from '#test/orders.ts'
import {
  aGood,
  askRefund,
  assertNumbers,
  cancel,
  countByStatus,
  refund,
  refundedOf,
  sell,
  stockOf,
} from '#test/sales.ts'
import { ship } from '#test/shipping.ts'
import { presentOrder } from '../present.ts'
import { readOrders } from '../queries.ts'

const service = useService()

async function jobsAbout(shop: { companyId: number }, kind: string) {
  return service.db
    .selectFrom('jobs')
    .select('data')
    .where('company_id', '=', shop.companyId)
    .where('kind', '=', kind)
    .orderBy('id')
    .execute()
}

describe('POST /api/orders/{id}/refunds.json', () => {
  test('refunds all of an order that was not refunded yet, if it says nothing else', async () => {
    const shop = await service.openShop()
    const [film, cup] = [await aFilm(service, shop, 1299), await aGood(service, shop, 333, 10)]
    const order = await sell(shop, [{ product: film }, { product: cup, quantity: 3 }])
    const answer = await askRefund(shop, order.id, { all: true, note: 'Never arrived.', restock: true })
    assert.equal(answer.status, 201, answer.text)
    const made = answer.body.refund
    assert.equal(made.note, 'Never arrived.')
    assert.equal(made.order_id, order.id)
    assert.equal(made.restock, true)
    assert.equal(made.tracking_number, null)
    assert.equal(made.customer_token, order.customer_token)
    assert.deepEqual(
      made.refund_line_items.map(({ quantity, line_item }: { quantity: number; line_item: object }) => ({
        quantity,
        line_item,
      })),
      [
        { quantity: 1, line_item: order.line_items[0] },
        { quantity: 3, line_item: order.line_items[1] },
      ],
    )
    const [{ id, created_at, ...transaction }, ...others] = made.transactions
    assert.deepEqual(others, [])
    assert.ok(id > 0)
    assert.equal(created_at, made.created_at)
    assert.deepEqual(transaction, {
      order_id: order.id,
      gateway: 'Manual',
      test: false,
      status: 'success',
      amount: 1299 + 999,
      currency: 'EUR',
      location_id: null,
      customer_token: order.customer_token,
      device_id: null,
      source_name: 'api',
    })
    const after = await readOrder(shop, order.id)
    assert.deepEqual(after.refunds, [made])
    assert.equal(after.financial_status, 'refunded')
    assert.equal(after.updated_at, made.created_at)
    assert.deepEqual(after.line_items, order.line_items)
    assert.equal(await stockOf(shop, cup), 10)
    assert.deepEqual(await countByStatus(shop), { paid: 0, partially_refunded: 0, refunded: 1 })
    const customer = await readCustomer(shop, order.customer_token)
    assert.equal(customer.total_spent, 0)
    assert.equal(customer.orders_count, 1)
    assert.equal(customer.last_order_id, order.id)
  })

  test('refunds what is named, in several steps that come to what was paid', async () => {
    const shop = await service.openShop()
    const cup = await aGood(service, shop, 1000, 10)
    await aDiscountCode(service, shop, { code: 'ODD', type: 'fixed_amount', amount: 2150 })
    const order = await sell(shop, [{ product: cup, quantity: 3 }], { discount_codes: [{ code: 'ODD' }] })
    // For three: no piece costs whole cents.
    assert.equal(order.total_price, 850)
    const line_item_id = order.line_items[0].id
    const amounts: number[] = []
    for (const status of ['partially_refunded', 'partially_refunded', 'refunded']) {
      const made = await refund(shop, order.id, { refund_line_items: [{ line_item_id, quantity: 1 }] })
      amounts.push(made.transactions[0].amount)
      assert.equal((await readOrder(shop, order.id)).financial_status, status)
      await assertNumbers(shop, order.customer_token)
    }
    assert.deepEqual(amounts, [283, 284, 283])
    const after = await readOrder(shop, order.id)
    assert.equal(refundedOf(after), 850)
    assert.equal(after.refunds.length, 3)
    assert.equal(await stockOf(shop, cup), 7, 'nobody asked for a restock')
    assert.deepEqual(await countByStatus(shop), { paid: 0, partially_refunded: 0, refunded: 1 })
  })

  test('takes all that is left of a line without a quantity, and numbers as text', async () => {
    const shop = await service.openShop()
    const cup = await aGood(service, shop, 500, 10)
    const order = await sell(shop, [{ product: cup, quantity: 3 }, { product: await aFilm(service, shop) }])
    const line_item_id = order.line_items[0].id
    await refund(shop, order.id, {
      restock: 'true',
      refund_line_items: [{ line_item_id: `${line_item_id}`, quantity: '1' }],
    })
    assert.equal(await stockOf(shop, cup), 8)
    const rest = await refund(shop, order.id, { restock: true, refund_line_items: [{ line_item_id }] })
    assert.equal(rest.refund_line_items[0].quantity, 2)
    assert.equal(rest.transactions[0].amount, 1000)
    assert.equal(await stockOf(shop, cup), 10)
    const last = await refund(shop, order.id)
    assert.deepEqual(
      last.refund_line_items.map((line: { line_item: { id: number } }) => line.line_item.id),
      [order.line_items[1].id],
    )
    assert.equal(last.transactions[0].amount, 1190)
  })

  test('takes an amount instead of what the lines cost, and an amount alone gives back no lines', async () => {
    const shop = await service.openShop()
    const cup = await aGood(service, shop, 1000, 10)
    const order = await sell(shop, [{ product: cup, quantity: 2 }])
    const line_item_id = order.line_items[0].id
    const courtesy = await refund(shop, order.id, { amount: 300, restock: true })
    assert.deepEqual(courtesy.refund_line_items, [])
    assert.equal(courtesy.transactions[0].amount, 300)
    assert.equal(await stockOf(shop, cup), 8)
    const worn = await refund(shop, order.id, { amount: 400, refund_line_items: [{ line_item_id, quantity: 1 }] })
    assert.equal(worn.transactions[0].amount, 400)
    const [state] = await readOrders(service.db, shop.companyId, [order.id])
    assert.deepEqual([state!.lines[0]!.refunded_quantity, state!.lines[0]!.refunded_cents], [1, 400])
    // 1300 are left, and the second cup cost 1000; what is above it falls on no line.
    const rest = await refund(shop, order.id)
    assert.equal(rest.transactions[0].amount, 1300)
    const [last] = await readOrders(service.db, shop.companyId, [order.id])
    assert.deepEqual([last!.lines[0]!.refunded_quantity, last!.lines[0]!.refunded_cents], [2, 1400])
    assert.equal(last!.refunded_cents, 2000)
  })

  test('pays back the shipping with all that is left, and not with a line', async () => {
    const shop = await service.openShop()
    const cup = await aGood(service, shop, 1000, 10)
    const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 490 }] })
    await aShippingMethod(service, shop, { price_id: price.id })
    const order = await sell(shop, [{ product: cup }])
    assert.equal(order.total_price, 1490)
    const made = await refund(shop, order.id, { refund_line_items: [{ line_item_id: order.line_items[0].id }] })
    assert.equal(made.transactions[0].amount, 1000)
    assert.equal((await readOrder(shop, order.id)).financial_status, 'partially_refunded')
    const rest = await refund(shop, order.id)
    assert.equal(rest.transactions[0].amount, 490)
    assert.deepEqual(rest.refund_line_items, [])
    const other = await sell(shop, [{ product: cup }])
    assert.equal((await refund(shop, other.id)).transactions[0].amount, 1490)
  })

  test('never pays back more than what is left, even if the lines cost more', async () => {
    const shop = await service.openShop()
    const order = await sell(shop, [{ product: await aFilm(service, shop, 1000) }])
    await refund(shop, order.id, { amount: 800 })
    const made = await refund(shop, order.id, { refund_line_items: [{ line_item_id: order.line_items[0].id }] })
    assert.equal(made.transactions[0].amount, 200)
    assert.equal((await readOrder(shop, order.id)).financial_status, 'refunded')
  })

  test('gives back the lines of what is paid back already, for nothing', async () => {
    const shop = await service.openShop()
    const cup = await aGood(service, shop, 1000, 10)
    const order = await sell(shop, [{ product: cup, quantity: 2 }])
    await refund(shop, order.id, { amount: 2000 })
    assert.equal((await readOrder(shop, order.id)).financial_status, 'refunded')
    const made = await refund(shop, order.id, { all: true, restock: true })
    assert.equal(made.transactions[0].amount, 0)
    assert.equal(await stockOf(shop, cup), 10)
    assert.equal((await askRefund(shop, order.id)).status, 409)
  })

  test('refunds what was free by its lines', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop, 0)
    const order = await sell(shop, [{ product: film, quantity: 2 }])
    assert.equal(order.total_price, 0)
    const line = { line_item_id: order.line_items[0].id, quantity: 1 }
    const made = await refund(shop, order.id, { refund_line_items: [line], amount: 0 })
    assert.equal(made.transactions[0].amount, 0)
    assert.equal((await readOrder(shop, order.id)).financial_status, 'partially_refunded')
    await refund(shop, order.id)
    assert.equal((await readOrder(shop, order.id)).financial_status, 'refunded')
    assert.equal((await askRefund(shop, order.id)).status, 409)
    await assertNumbers(shop, order.customer_token)
  })

  test('leaves an order paid of which only something free is given back', async () => {
    const shop = await service.openShop()
    const order = await sell(shop, [
      { product: await aFilm(service, shop, 0) },
      { product: await aFilm(service, shop) },
    ])
    await refund(shop, order.id, { refund_line_items: [{ line_item_id: order.line_items[0].id }] })
    assert.equal((await readOrder(shop, order.id)).financial_status, 'paid')
  })

  test('sends the customer a mail, unless notifications are off', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop, 1000)
    const quiet = await sell(shop, [{ product: film }], { customer_notification: 0 })
    await refund(shop, quiet.id)
    assert.deepEqual(await jobsAbout(shop, 'order/tell-refund'), [])
    const order = await sell(shop, [{ product: film }])
    const made = await refund(shop, order.id)
    assert.deepEqual(await jobsAbout(shop, 'order/tell-refund'), [{ data: { order_id: order.id, refund_id: made.id } }])
  })

  test('emits product/update for restocked goods, because they show another stock', async () => {
    const shop = await service.openShop()
    const cup = await aGood(service, shop, 1000, 10)
    const order = await sell(shop, [{ product: cup }])
    const before = (await eventsOf(service, shop)).length
    await refund(shop, order.id, { all: true, restock: true })
    assert.equal((await shop.get(`/api/products/${cup.id}.json`)).body.product.items_in_stock, 10)
    assert.deepEqual((await eventsOf(service, shop)).slice(before), [
      { topic: 'product/update', data: { type: 'product', id: String(cup.id), long_id: cup.product_id } },
    ])
  })

  test('takes what is not shipped yet out of what is to be shipped', async () => {
    const shop = await service.openShop()
    const order = await sell(shop, [{ product: await aGood(service, shop), quantity: 3 }])
    const fulfillment = () => shop.get(`/api/fulfillments/${order.id}.json`)
    await refund(shop, order.id, { refund_line_items: [{ line_item_id: order.line_items[0].id, quantity: 2 }] })
    assert.equal((await fulfillment()).body.fulfillment.line_items[0].Quantity, 1)
    await refund(shop, order.id)
    assert.equal((await fulfillment()).status, 404)
  })

  test('leaves no goods to wait for where all of them are refunded before they were shipped', async () => {
    const shop = await service.openShop()
    const [cup, plate, film] = [await aGood(service, shop), await aGood(service, shop), await aFilm(service, shop)]
    const order = await sell(shop, [{ product: cup }, { product: plate, quantity: 2 }, { product: film }])
    const [ofCup, ofPlate] = order.line_items.map(({ id }: Wire) => id)
    const statusAfter = async (line_item_id: number, quantity: number) => {
      await refund(shop, order.id, { refund_line_items: [{ line_item_id, quantity }] })
      return (await readOrder(shop, order.id)).fulfillment_status
    }
    assert.equal(await statusAfter(ofCup, 1), 'partial')
    assert.equal(await statusAfter(ofPlate, 1), 'partial')
    assert.equal(await statusAfter(ofPlate, 1), 'fulfilled')
    assert.equal((await shop.get('/api/orders/count.json?fulfillment_status=fulfilled')).body.count, 1)
  })

  test('puts shipped goods back if they came back, and what was shipped stays so', async () => {
    const shop = await service.openShop()
    const cup = await aGood(service, shop, 1000, 10)
    const order = await sell(shop, [{ product: cup, quantity: 3 }])
    await ship(shop, order.id)
    await refund(shop, order.id, {
      restock: true,
      refund_line_items: [{ line_item_id: order.line_items[0].id, quantity: 2 }],
    })
    assert.equal(await stockOf(shop, cup), 9)
    const { fulfillment } = (await shop.get(`/api/fulfillments/${order.id}.json`)).body
    assert.deepEqual([fulfillment.status, fulfillment.line_items[0].Quantity], [100, 3])
    assert.equal((await readOrder(shop, order.id)).fulfillment_status, 'fulfilled')
    assert.equal((await shop.get('/api/orders/count.json?fulfillment_status=fulfilled')).body.count, 1)
    await cancel(shop, order.id)
    assert.equal(await stockOf(shop, cup), 9, 'the third is with the customer')
  })

  test('leaves a stored document that is the freshly presented one', async () => {
    const shop = await service.openShop()
    const order = await sell(shop, [{ product: await aGood(service, shop), quantity: 2 }])
    await refund(shop, order.id, { note: 'Größe', amount: 1 })
    const [state] = await readOrders(service.db, shop.companyId, [order.id])
    const { document } = await service.db
      .selectFrom('orders')
      .select('document')
      .where('company_id', '=', shop.companyId)
      .where('id', '=', order.id)
      .executeTakeFirstOrThrow()
    assert.equal(document, asciiJson(presentOrder(state!)))
  })
})
