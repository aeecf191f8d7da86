import assert from 'node:assert/strict'
import { aSale, contentOf } from './entitlements.ts'
import type { Wire } from './factories.ts'
import type { Service, Shop } from './harness.ts'
import { aBuyer, anOrder } from './orders.ts'

const SOFTWARE = 4

let series = 0
/** Keys that no other test has. */
export function someKeys(count: number): string[] {
  series += 1
  return Array.from({ length: count }, (_, index) => `List-${series}-${String(index + 1).padStart(6, '0')}`)
}

/** Another customer buys the program. */
export async function buyAgain(shop: Shop, program: Wire): Promise<{ id: number; customer: Wire }> {
  const customer = await aBuyer(shop)
  await anOrder(shop, customer, [{ product_id: program.product_id }])
  return { id: (await contentOf(shop, customer))[0].id, customer }
}

export async function keyOf(shop: Shop, id: number): Promise<Wire> {
  const answer = await shop.get(`/api/entitlements/${id}/key.json`)
  assert.equal(answer.status, 200, answer.text)
  assert.match(answer.headers.get('cache-control') ?? '', /no-store/)
  return answer.body.software_key
}

export async function importKeys(shop: Shop, program: Wire, keys: string[]): Promise<Wire> {
  const answer = await shop.post(`/api/products/${program.id}/keys.json`, { keys })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.software_keys
}

/** Software under a license with these terms, which somebody has bought. */
export async function aProgramOf(service: Service, terms: object = {}, order: object = {}, product: object = {}) {
  const license = { drm: 1, allow_play: 1, ...terms }
  const sale = await aSale(service, license, order, 1, { product_type: SOFTWARE, ...product })
  return { ...sale, program: sale.film, id: sale.content[0].id as number }
}

export const requestOf = (request: object) => Buffer.from(JSON.stringify(request)).toString('base64url')
