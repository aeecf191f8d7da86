import assert from 'node:assert/strict'
import { aLicense, aPrice, aProduct, type Wire } from './factories.ts'
import type { Service, Shop } from './harness.ts'
import { aBuyer, anOrder } from './orders.ts'

/** A film under a license of its own, and a customer who has bought it. */
export async function aSale(
  service: Service,
  terms: object = {},
  order: object = {},
  quantity = 1,
  product: object = {},
) {
  const shop = await service.openShop()
  const license = await aLicense(service, shop, { name: 'Rent', ...terms })
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 499 }] })
  const film = await aProduct(shop, {
    published: true,
    price_license_binding: [{ license_id: license.id, price_id: price.id }],
    ...product,
  })
  const customer = await aBuyer(shop)
  const sold = await anOrder(shop, customer, [{ product_id: film.product_id, quantity }], order)
  return { shop, license, film, customer, order: sold, content: await contentOf(shop, customer) }
}

export async function contentOf(shop: Shop, { token }: { token: string }): Promise<Wire[]> {
  const answer = await shop.get(`/api/customers/${token}/content.json`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.content
}

export async function ask(shop: Shop, kind: 'check' | 'use', id: number, asked: object): Promise<Wire> {
  const answer = await shop.post(`/api/entitlements/${id}/${kind}.json`, { [kind]: asked })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.decision
}

export async function read(shop: Shop, id: number): Promise<Wire> {
  const answer = await shop.get(`/api/entitlements/${id}.json`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.entitlement
}

/** The shop with a new token, because the old one expires while the clock moves. */
export async function pass(service: Service, shop: Shop, seconds: number): Promise<Shop> {
  service.clock.advance(seconds)
  return shop.asUser(shop.userId)
}

export const play = { action: 'play', device: 'tv' }
