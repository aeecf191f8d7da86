import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fetchHeld } from '../contract.ts'
import type { Wire } from '../factories.ts'
import { type Serving, serve, temporaryFolder } from './program.ts'

const CREATIONS = 1000
const AT_ONCE = 20

type Client = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: Wire }>

function clientOf({ url, token }: Pick<Serving, 'url' | 'token'>): Client {
  return async (method, path, body) => {
    const response = await fetchHeld(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    return { status: response.status, body: await response.json() }
  }
}

/** Goods with a stock to take from, and customers who want them. */
async function prepare(call: Client): Promise<{ mug: Wire; film: Wire; buyers: Wire[] }> {
  const { products } = (await call('GET', '/api/products.json')).body
  const sold = products.filter(({ price_license_binding }: Wire) => price_license_binding[0]?.price_id)
  const goods = sold.find(({ product_type }: Wire) => product_type === 6)
  const film = sold.find(({ product_type, published }: Wire) => product_type !== 6 && published)
  const stock = { published: true, published_at: null, manage_stock: true, items_in_stock: 5 * CREATIONS }
  const mug = (await call('PUT', `/api/products/${goods.id}.json`, { product: stock })).body.product
  const buyers = await Promise.all(
    Array.from({ length: 10 }, async (_, nth) => {
      const customer = { email: `buyer${nth}@example.com`, password: 'a long password', addresses: [{ country: 'US' }] }
      return (await call('POST', '/api/customers.json', { customer })).body.customer
    }),
  )
  return { mug, film, buyers }
}

/** Orders until the service is gone, and returns the ids of the confirmed orders. */
async function orderUntilGone(
  call: Client,
  things: Awaited<ReturnType<typeof prepare>>,
  onMade: (made: number) => void,
) {
  const told: number[] = []
  let asked = 0
  const clients = Array.from({ length: AT_ONCE }, async () => {
    while (asked < CREATIONS) {
      const nth = asked
      asked += 1
      const { film, mug, buyers } = things
      const line_items = [
        { product_id: mug.product_id, quantity: 2 },
        { product_id: film.product_id, license_id: film.price_license_binding[0].license_id },
      ]
      const order = { customer_token: buyers[nth % buyers.length].token, line_items }
      const answer = await call('POST', '/api/orders.json', { order }).catch(() => undefined)
      if (answer === undefined) return
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      told.push(answer.body.order.id)
      onMade(told.length)
    }
  })
  await Promise.all(clients)
  return told
}

describe('a service that is killed in the middle of a thousand orders', () => {
  test('leaves whole orders behind, all that it told of, and figures that are right', async () => {
    const settings = { LICET_DATA: await temporaryFolder() }
    const first = await serve(settings)
    const call = clientOf(first)
    const things = await prepare(call)
    const told = await orderUntilGone(call, things, (made) => {
      if (made === 150) first.kill('SIGKILL')
    })
    await first.ended
    assert.ok(told.length >= 150 && told.length < CREATIONS, `${told.length} were made`)

    const second = await serve(settings)
    const again = clientOf(second)
    const { orders } = (await again('GET', '/api/orders.json')).body
    const ids = new Set(orders.map(({ id }: Wire) => id))
    assert.deepEqual(
      told.filter((id) => !ids.has(id)),
      [],
    )
    for (const order of orders) {
      assert.equal(order.line_items.length, 2)
      assert.equal(order.total_price, order.subtotal_price + order.total_tax)
      assert.deepEqual((await again('GET', `/api/fulfillments/${order.id}.json`)).status, 200)
    }
    assert.equal((await again('GET', '/api/orders/count.json')).body.count, orders.length)
    assert.equal((await again('GET', '/api/orders/count.json?created_at_min=2020-01-01')).body.count, orders.length)
    const { product } = (await again('GET', `/api/products/${things.mug.id}.json`)).body
    assert.equal(product.items_in_stock, 5 * CREATIONS - 2 * orders.length)
    for (const { token } of things.buyers) {
      const own = orders.filter(({ customer }: Wire) => customer.token === token)
      const { customer } = (await again('GET', `/api/customers/${token}.json`)).body
      assert.equal(customer.orders_count, own.length)
      assert.equal(customer.last_order_id, Math.max(...own.map(({ id }: Wire) => id)))
      assert.equal(
        customer.total_spent,
        own.reduce((sum: number, { total_price }: Wire) => sum + total_price, 0),
      )
    }
    second.kill('SIGTERM')
    await second.ended
  })
})
