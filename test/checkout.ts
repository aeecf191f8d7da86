import assert from 'node:assert/strict'
import type { CartLine } from '#shop/checkout/state.ts'
import type { Wire } from './factories.ts'
import type { Service, Shop } from './harness.ts'
import { offer } from './payments.ts'
import { type PageAnswer, type Visitor, visit } from './visitor.ts'

/** The headers of a browser that sends forms from a page of the shop. */
export const OURS = { 'sec-fetch-site': 'same-origin', 'accept-language': 'en' }
export const CARDS = { pays: '4242 4242 4242 4242', fails: '4000 0000 0000 0002', asks: '4000 0000 0000 3220' }
export const HOME = { first_name: 'Jane', last_name: 'Roe', address1: 'Main Street 1', zip: '10115', city: 'Berlin' }

/** A line of a cart for one piece of a product that is offered in one way. */
export const A_LINE: CartLine = {
  product_id: '',
  license_id: null,
  hd: null,
  audio_type: null,
  num_users: null,
  chosen_product_id: null,
  quantity: 1,
}

export type OpenShop = { shop: Shop; id: number; base: string; guest: () => Visitor }

/** A shop that takes test cards. */
export async function openCheckout(service: Service): Promise<OpenShop> {
  service.app.baseUrl = service.url
  const shop = await service.openShop()
  await offer(service, shop, { test: { enabled: true } })
  const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
  return { shop, id, base: `/shop/${id}`, guest: () => visit(service.url, OURS) }
}

/** Takes bills instead of test cards. */
export function takeBills(service: Service, { shop }: OpenShop): Promise<void> {
  const manual = { enabled: true, instructions: 'Bank DE00 1234' }
  return offer(service, shop, { test: { enabled: false }, manual })
}

export async function put(visitor: Visitor, base: string, product: Wire, more: Record<string, string> = {}) {
  const answer = await visitor.post(`${base}/cart`, { product_id: product.product_id, ...more })
  assert.equal(answer.status, 303, answer.text)
  return visitor.follow(answer)
}

/** Enters who the customer is, and goes on to the payment. */
export async function tell(visitor: Visitor, base: string, details: Record<string, string>): Promise<PageAnswer> {
  await visitor.get(`${base}/checkout`)
  return visitor.follow(await visitor.submit(`${base}/checkout`, { country: 'DE', ...details }))
}

export async function pay(visitor: Visitor, base: string, fields: Record<string, string> = {}): Promise<PageAnswer> {
  const answer = await visitor.submit(`${base}/checkout/pay`, { gateway: 'Test', card: CARDS.pays, ...fields })
  return visitor.follow(answer)
}

/** The texts of the mails to somebody. */
export async function mailsTo(service: Service, email: string): Promise<string[]> {
  const mails = await service.db
    .selectFrom('mails')
    .select('text')
    .where('recipient', '=', email)
    .orderBy('id')
    .execute()
  return mails.map(({ text }) => text ?? '')
}

export const orderIdOn = ({ text }: PageAnswer) => Number(/Order #(\d+)/.exec(text)?.[1])
export const heading = ({ text }: PageAnswer) => /<h1[^>]*>([^<]*)/.exec(text)?.[1]

export async function contentOf({ shop }: OpenShop, order: Wire): Promise<Wire[]> {
  return (await shop.get(`/api/customers/${order.customer.token}/content.json`)).body.content
}
