import assert from 'node:assert/strict'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createDiscountCode } from '#selling/discount-codes/commands.ts'
import type { DiscountCodeInput } from '#selling/discount-codes/schema.ts'
import type { DiscountCodeState } from '#selling/discount-codes/state.ts'
import { createShippingMethod } from '#selling/shipping-methods/commands.ts'
import type { ShippingMethodInput } from '#selling/shipping-methods/schema.ts'
import type { ShippingMethodState } from '#selling/shipping-methods/state.ts'
import { withContent } from './content.ts'
import { aCustomer } from './customers.ts'
import { aPrice, aProduct, BUY, type Wire } from './factories.ts'
import type { Answer, Service, Shop } from './harness.ts'

/** Makes a published film with a content file, which is sold under one license, for so many cents. */
export async function aFilm(service: Service, shop: Shop, cents = 1190, attributes: object = {}): Promise<Wire> {
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: cents }] })
  const bindings = [{ license_id: BUY, price_id: price.id }]
  const film = await aProduct(shop, { published: true, price_license_binding: bindings, ...attributes })
  return withContent(service, shop, film)
}

/** Makes published goods, with so many of them in stock; undefined: the stock is not managed. */
export async function someGoods(service: Service, shop: Shop, stock?: number, attributes: object = {}): Promise<Wire> {
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 2380 }] })
  return aProduct(shop, {
    product_type: 6,
    title: 'Mug',
    published: true,
    weight: 350,
    gtin: '4006381333931',
    ...(stock === undefined ? {} : { manage_stock: true, items_in_stock: stock }),
    price_license_binding: [{ price_id: price.id }],
    ...attributes,
  })
}

/** A customer with an address. */
export async function aBuyer(shop: Shop, country = 'DE', attributes: object = {}): Promise<Wire> {
  const address = {
    first_name: 'Jane',
    last_name: 'Roe',
    address1: 'Main Street 1',
    zip: '10115',
    city: 'Town',
    country,
  }
  return aCustomer(shop, { first_name: 'Jane', last_name: 'Roe', language: 'en', addresses: [address], ...attributes })
}

export function order(shop: Shop, attributes: object, headers?: Record<string, string>): Promise<Answer> {
  return shop.post('/api/orders.json', { order: attributes }, headers)
}

type Bought = { product_id: string } | { product_id: string; quantity: number; license_id?: number }

/** Makes an order through the interface. */
export async function anOrder(shop: Shop, customer: Wire, lines: Bought[], attributes: object = {}): Promise<Wire> {
  const line_items = lines.map((line) => ({
    product_id: line.product_id,
    ...('quantity' in line ? { quantity: line.quantity, license_id: line.license_id } : {}),
  }))
  const answer = await order(shop, { customer_token: customer.token, line_items, ...attributes })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.order
}

export async function readOrder(shop: Shop, id: number): Promise<Wire> {
  const answer = await shop.get(`/api/orders/${id}.json`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.order
}

/** Makes a discount code. */
export async function aDiscountCode(
  service: Service,
  shop: Shop,
  input: Partial<DiscountCodeInput> = {},
): Promise<DiscountCodeState> {
  const code = { code: 'SPRING', type: 'percentage', amount: 10, ...input }
  const now = nowInSeconds(service.clock)
  const { state } = await inTransaction(service.db, (tx) => createDiscountCode(tx, shop, code, now))
  return state
}

/** Makes a shipping method. */
export async function aShippingMethod(
  service: Service,
  shop: Shop,
  input: Partial<ShippingMethodInput> = {},
): Promise<ShippingMethodState> {
  const method = { title: 'Standard', ...input }
  const now = nowInSeconds(service.clock)
  const { state } = await inTransaction(service.db, (tx) => createShippingMethod(tx, shop, method, now))
  return state
}

/** Changes columns of a company that the interface does not let it change. */
export async function setCompany(service: Service, shop: Shop, columns: object): Promise<void> {
  await service.db
    .updateTable('companies')
    .set(columns as never)
    .where('id', '=', shop.companyId)
    .execute()
}

/** Everything that an order can write. */
export async function traces(service: Service, shop: Shop): Promise<unknown> {
  const count = async (path: string) => (await shop.get(path)).body
  const events = await service.db
    .selectFrom('events')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('company_id', '=', shop.companyId)
    .executeTakeFirst()
  return [
    await count('/api/orders.json'),
    await count('/api/orders/count.json'),
    await count('/api/customers.json'),
    await count('/api/products.json'),
    events,
    await service.db.selectFrom('order_lines').selectAll().where('company_id', '=', shop.companyId).execute(),
    await service.db.selectFrom('jobs').select('kind').where('company_id', '=', shop.companyId).execute(),
  ]
}

/** The id of a price of so many cents, for a binding of its own. */
export async function aPriceId(service: Service, shop: Shop, cents: number): Promise<number> {
  return (await aPrice(service, shop, { currencies: [{ currency: 'eur', price: cents }] })).id
}
