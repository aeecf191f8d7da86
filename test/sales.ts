import assert from 'node:assert/strict'
import { aCustomer, readCustomer } from './customers.ts'
import { anOffer, aPrice, aProduct, readProduct, type Wire } from './factories.ts'
import type { Answer, Service, Shop } from './harness.ts'
import { aFilm, readOrder } from './orders.ts'

/** Goods with a price in cents and a stock; null: the stock is not managed. */
export async function aGood(service: Service, shop: Shop, cents = 999, stock: number | null = 100): Promise<Wire> {
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: cents }] })
  return aProduct(shop, {
    title: 'Cup',
    product_type: 6,
    published: true,
    manage_stock: stock !== null,
    items_in_stock: stock,
    price_license_binding: [{ price_id: price.id }],
  })
}

/** Adds everything that another shop offers to this one, and returns the mirrors in the order of the originals. */
export async function mirrorAll(service: Service, owner: Shop, seller: Shop, percent = 30): Promise<Wire[]> {
  const marketId = await anOffer(service, owner, { cost_to_licensees_percent: percent })
  const answer = await seller.post(`/api/marketplace/${marketId}/activate.json`)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.products
}

const markets = new WeakMap<Service, Promise<Shop>>()

async function openMarket(service: Service): Promise<Shop> {
  const owner = await service.openShop()
  await aFilm(service, owner)
  return owner
}

/** A film that the shop has from another one, the same for all shops. */
export async function aMirroredFilm(service: Service, shop: Shop): Promise<Wire> {
  const market = markets.get(service) ?? openMarket(service)
  markets.set(service, market)
  const [mirror] = await mirrorAll(service, await market, shop)
  return mirror
}

type Line = { product: { product_id: string }; quantity?: number }

/** Sells something to a customer, a new one by default, and returns the order. */
export async function sell(
  shop: Shop,
  lines: Line[],
  { customer, ...attributes }: { customer?: { token: string } } & Record<string, unknown> = {},
): Promise<Wire> {
  const buyer = customer ?? (await aCustomer(shop, { addresses: [{ city: 'Berlin', country_code: 'DE' }] }))
  const answer = await shop.post('/api/orders.json', {
    order: {
      customer_token: buyer.token,
      line_items: lines.map(({ product, quantity = 1 }) => ({ product_id: product.product_id, quantity })),
      ...attributes,
    },
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.order
}

export function askRefund(shop: Shop, orderId: number, refund: object = { all: true }, headers = {}): Promise<Answer> {
  return shop.post(`/api/orders/${orderId}/refunds.json`, { refund }, headers)
}

/** Refunds an order through the interface. */
export async function refund(shop: Shop, orderId: number, asked: object = { all: true }): Promise<Wire> {
  const answer = await askRefund(shop, orderId, asked)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.refund
}

export async function cancel(shop: Shop, orderId: number): Promise<void> {
  const answer = await shop.delete(`/api/orders/${orderId}.json`)
  assert.equal(answer.status, 200, answer.text)
}

export async function readLedger(shop: Shop): Promise<Wire[]> {
  const answer = await shop.get('/api/ledger_entries.json')
  assert.equal(answer.status, 200, answer.text)
  return answer.body.ledger_entries
}

export async function stockOf(shop: Shop, product: { id: number }): Promise<number> {
  return (await readProduct(shop, product.id)).items_in_stock
}

/** How many orders a shop has by financial status, according to the stored counts. */
export async function countByStatus(shop: Shop): Promise<Record<string, number>> {
  const statuses = ['paid', 'partially_refunded', 'refunded']
  const answers = await Promise.all(
    statuses.map((status) => shop.get(`/api/orders/count.json?financial_status=${status}`)),
  )
  return Object.fromEntries(statuses.map((status, index) => [status, answers[index]!.body.count]))
}

/** Everything that a refund can change, in the order's shop and in the shop that owns the product. */
export async function everythingOf(
  shop: Shop,
  order: { id: number; customer_token: string },
  products: { id: number }[],
  owner: Shop = shop,
): Promise<Wire> {
  return {
    order: await readOrder(shop, order.id),
    customer: await readCustomer(shop, order.customer_token),
    stock: await Promise.all(products.map((product) => stockOf(owner, product))),
    ledger: [await readLedger(shop), await readLedger(owner)],
    counts: await countByStatus(shop),
  }
}

/** The expected figures of a customer, from the orders in their list alone. Prices are in the shop's currency. */
export async function numbersOf(shop: Shop, customerToken: string): Promise<object> {
  const answer = await shop.get(`/api/orders.json?customer_token=${customerToken}`)
  const orders: Wire[] = answer.body.orders.filter((order: Wire) => !order.test && order.cancelled_at === null)
  const last = orders.at(-1)?.id ?? 0
  return {
    orders_count: orders.length,
    total_spent: orders.reduce((cents, order) => cents + order.total_price - refundedOf(order), 0),
    last_order_id: last,
    last_order_name: last === 0 ? '' : `#${last}`,
  }
}

/** The refunded amount of an order. */
export function refundedOf({ refunds }: Wire): number {
  return refunds
    .flatMap(({ transactions }: Wire) => transactions)
    .reduce((cents: number, { amount }: Wire) => cents + amount, 0)
}

/** Asserts that the figures of a customer match the orders. */
export async function assertNumbers(shop: Shop, customerToken: string): Promise<void> {
  const { orders_count, total_spent, last_order_id, last_order_name } = await readCustomer(shop, customerToken)
  assert.deepEqual({ orders_count, total_spent, last_order_id, last_order_name }, await numbersOf(shop, customerToken))
}
