import assert from 'node:assert/strict'
import { aCustomer } from './customers.ts'
import { aPrice, aProduct, BUY, PHYSICAL, type Wire } from './factories.ts'
import type { Service, Shop } from './harness.ts'

/** The address of the customers that are made here. */
export const HOME = {
  first_name: 'Jane',
  last_name: 'Roe',
  company: 'Roe & Sons',
  address1: 'Hauptstraße 1',
  address2: 'Hinterhaus',
  city: 'Köln',
  zip: '50667',
  country_code: 'DE',
  phone: '0221 1',
}

/** Makes goods that can be bought. */
export async function someGoods(service: Service, shop: Shop, attributes: object = {}): Promise<Wire> {
  const price_license_binding = [{ price_id: (await aPrice(service, shop)).id }]
  return aProduct(shop, { product_type: PHYSICAL[0], title: 'Box', price_license_binding, ...attributes })
}

/** Makes a film that can be bought, and needs no shipping. */
export async function aFilm(service: Service, shop: Shop): Promise<Wire> {
  const price_license_binding = [{ license_id: BUY, price_id: (await aPrice(service, shop)).id }]
  return aProduct(shop, { price_license_binding })
}

/** Orders things through the interface, for a customer of its own who lives in Germany, unless one is named. */
export async function orderOf(
  shop: Shop,
  products: Wire[],
  attributes: { customer_token?: string; [name: string]: unknown } = {},
): Promise<Wire> {
  const customer_token = attributes.customer_token ?? (await aCustomer(shop, { addresses: [HOME] })).token
  const line_items = products.map(({ product_id, quantity = 1 }) => ({ product_id, quantity }))
  const answer = await shop.post('/api/orders.json', { order: { ...attributes, customer_token, line_items } })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.order
}

/** Makes goods and orders them. */
export async function anOrderOfGoods(
  service: Service,
  shop: Shop,
  attributes: { customer_token?: string; [name: string]: unknown } = {},
): Promise<Wire> {
  return orderOf(shop, [await someGoods(service, shop)], attributes)
}

export async function readFulfillment(shop: Shop, id: number): Promise<Wire> {
  const answer = await shop.get(`/api/fulfillments/${id}.json`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.fulfillment
}

/** Ships the goods of an order. */
export async function ship(shop: Shop, id: number, attributes: object = {}): Promise<Wire> {
  const answer = await shop.put(`/api/fulfillments/${id}.json`, { fulfillment: { status: 100, ...attributes } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.fulfillment
}
