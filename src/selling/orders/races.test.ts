import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anEmail, CUSTOMER_PASSWORD, readCustomer } from '#test/customers.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder, order, someGoods } from '#test/orders.ts'

const service = useService()
const many = <Result>(times: number, work: (nth: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: times }, (_, nth) => work(nth)))

const countOf = async (shop: Shop) => (await shop.get('/api/orders/count.json')).body.count

describe('the same key from many at once', () => {
  test('makes one order and as many equal answers', async () => {
    const shop = await service.openShop()
    const buyer = await aBuyer(shop)
    const mug = await someGoods(service, shop, 60)
    const body = { customer_token: buyer.token, line_items: [{ product_id: mug.product_id }] }
    const answers = await many(50, () => order(shop, body, { 'idempotency-key': 'order 1' }))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length, 49)
    assert.equal(await countOf(shop), 1)
    assert.equal((await readCustomer(shop, buyer.token)).orders_count, 1)
    assert.equal((await shop.get(`/api/products/${mug.id}.json`)).body.product.items_in_stock, 59)
  })

  test('makes one customer with the order', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    const body = {
      customer: { email: anEmail(), password: CUSTOMER_PASSWORD },
      line_items: [{ product_id: film.product_id }],
    }
    const answers = await many(4, () => order(shop, body, { 'idempotency-key': 'first order' }))
    assert.deepEqual(
      [...new Set(answers.map(({ text }) => text))].length,
      1,
      answers.map(({ text }) => text).join('\n'),
    )
    assert.equal(await countOf(shop), 1)
  })

  test('refuses another order under it', async () => {
    const shop = await service.openShop()
    const buyer = await aBuyer(shop)
    const film = await aFilm(service, shop)
    const line = { product_id: film.product_id }
    const key = { 'idempotency-key': 'mine' }
    assert.equal((await order(shop, { customer_token: buyer.token, line_items: [line] }, key)).status, 201)
    assert.equal((await order(shop, { customer_token: buyer.token, line_items: [line, line] }, key)).status, 422)
    assert.equal(await countOf(shop), 1)
  })

  test('is free again after a refusal', async () => {
    const shop = await service.openShop()
    const buyer = await aBuyer(shop)
    const film = await aFilm(service, shop, 1190, { published: false })
    const body = { customer_token: buyer.token, line_items: [{ product_id: film.product_id }] }
    const key = { 'idempotency-key': 'again' }
    assert.equal((await order(shop, body, key)).status, 422)
    await shop.put(`/api/products/${film.id}.json`, { product: { published: true } })
    assert.equal((await order(shop, body, key)).status, 201)
  })
})

describe('many orders at once', () => {
  test('of one customer are all counted', async () => {
    const shop = await service.openShop()
    const buyer = await aBuyer(shop)
    const film = await aFilm(service, shop)
    const orders = await many(30, () => anOrder(shop, buyer, [film]))
    const shown = await readCustomer(shop, buyer.token)
    const last = Math.max(...orders.map(({ id }) => id))
    assert.deepEqual([shown.orders_count, shown.total_spent, shown.last_order_id], [30, 30 * 1190, last])
    assert.equal(await countOf(shop), 30)
  })

  test('of one new customer make the customer once', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    const customer = { email: anEmail(), password: CUSTOMER_PASSWORD }
    const body = { customer, line_items: [{ product_id: film.product_id }] }
    const answers = await many(4, () => order(shop, body))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201, 201],
      answers.map(({ text }) => text).join('\n'),
    )
    assert.equal(new Set(answers.map(({ body }) => body.order.customer.token)).size, 1)
    assert.equal((await shop.get('/api/customers/count.json')).body.count, 1)
    const wrong = await order(shop, { ...body, customer: { ...customer, password: 'another password' } })
    assert.equal(wrong.status, 422)
  })

  test('made and cancelled side by side leave the figures right', async () => {
    const shop = await service.openShop()
    const buyers = await many(2, () => aBuyer(shop))
    const mug = await someGoods(service, shop, 100)
    const first = await many(10, (nth) => anOrder(shop, buyers[nth % 2], [mug]))
    const cancelled = first.slice(0, 6)
    await Promise.all([
      ...cancelled.map(({ id }) => shop.delete(`/api/orders/${id}.json`)),
      ...first.slice(6).map(({ id }) => shop.put(`/api/orders/${id}.json`, { order: { po_number: 'x' } })),
      many(10, (nth) => anOrder(shop, buyers[nth % 2], [mug])),
    ])
    const { orders } = (await shop.get('/api/orders.json')).body
    for (const { token } of buyers) {
      const own = orders.filter(
        (each: { customer: { token: string }; cancelled_at: string | null }) =>
          each.customer.token === token && each.cancelled_at === null,
      )
      const shown = await readCustomer(shop, token)
      assert.equal(shown.orders_count, own.length)
      assert.equal(shown.total_spent, own.length * 2380)
      assert.equal(shown.last_order_id, Math.max(...own.map(({ id }: { id: number }) => id)))
    }
    assert.equal((await shop.get(`/api/products/${mug.id}.json`)).body.product.items_in_stock, 86)
  })
})
