import assert from 'node:assert/strict'
import { aCustomer } from './customers.ts'
import { aPrice, aProduct, BUY, type Wire } from './factories.ts'
import type { Service, Shop } from './harness.ts'
import type { MailServer, Received } from './mail-server.ts'

/** The default address of a customer in tests. */
export const HOME = {
  first_name: 'Jane',
  last_name: 'Roe',
  address1: 'Hauptstr. 1',
  city: 'Berlin',
  zip: '10115',
  country: 'Germany',
  default: true,
}

/** A shop with the company details that its mails show. */
export async function aWritingShop(service: Service, company: object = {}): Promise<Shop> {
  const shop = await service.openShop()
  const details = { company_name: 'Books & Co GmbH', street: 'Am Markt 2', zip: '20095', city: 'Hamburg', ...company }
  const answer = await shop.put(`/api/companies/${shop.companyId}.json`, { company: details })
  assert.equal(answer.status, 200, answer.text)
  return shop
}

/** Sets the texts of the shop that customers see. */
export async function nameShop(shop: Shop, locales: object[]): Promise<void> {
  const { body } = await shop.get('/api/themesettings.json')
  const [setting] = body.ThemeSettings
  const answer = await shop.put(`/api/themesettings/${setting.id}.json`, { ThemeSetting: { locales } })
  assert.equal(answer.status, 200, answer.text)
}

/** A film that can be bought. */
export async function aFilm(service: Service, shop: Shop, attributes: object = {}, price: object = {}): Promise<Wire> {
  const { id } = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 1190 }], ...price })
  const price_license_binding = [{ license_id: BUY, price_id: id }]
  return aProduct(shop, { title: 'The Long Way Home', published: true, price_license_binding, ...attributes })
}

/** Goods that can be bought. */
export async function aBook(service: Service, shop: Shop, attributes: object = {}): Promise<Wire> {
  const { id } = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 2380 }] })
  const price_license_binding = [{ license_id: null, price_id: id }]
  return aProduct(shop, {
    product_type: 6,
    title: 'Paper & Ink',
    published: true,
    price_license_binding,
    ...attributes,
  })
}

export async function aReader(shop: Shop, attributes: object = {}): Promise<Wire> {
  return aCustomer(shop, { first_name: 'Jane', last_name: 'Roe', language: 'en', addresses: [HOME], ...attributes })
}

export async function order(shop: Shop, customer: Wire, products: Wire[], attributes: object = {}): Promise<Wire> {
  const line_items = products.map(({ product_id, quantity }) => ({ product_id, quantity }))
  const body = { order: { customer_token: customer.token, line_items, ...attributes } }
  const answer = await shop.post('/api/orders.json', body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.order
}

/** Refunds an order or some of its lines, which sends a mail. */
export async function payBack(shop: Shop, order: Wire, refund: Wire): Promise<void> {
  const lines: [index: number, quantity: number][] | undefined = refund.lines
  const answer = await shop.post(`/api/orders/${order.id}/refunds.json`, {
    refund: {
      note: refund.note,
      amount: refund.amount,
      refund_line_items: lines?.map(([index, quantity]) => ({ line_item_id: order.line_items[index].id, quantity })),
    },
  })
  assert.equal(answer.status, 201, answer.text)
}

/** Ships the goods of an order in a parcel of some carrier, which sends a mail. */
export async function ship(service: Service, shop: Shop, { id }: Wire, parcel: Wire = {}): Promise<void> {
  const { tracking_number, ...carrier } = parcel
  if (Object.keys(carrier).length > 0)
    await service.db
      .updateTable('fulfillments')
      .set(carrier)
      .where('company_id', '=', shop.companyId)
      .where('id', '=', id)
      .execute()
  const answer = await shop.put(`/api/fulfillments/${id}.json`, { fulfillment: { status: 100, tracking_number } })
  assert.equal(answer.status, 200, answer.text)
}

/** The mails to an address after all jobs have run, oldest first. */
export async function mailsTo(service: Service, server: MailServer, address: string): Promise<Received[]> {
  await service.runJobs()
  return server.received.filter(({ to }) => to[0]?.toLowerCase() === address.toLowerCase())
}

/** The only mail to an address. */
export async function mailTo(service: Service, server: MailServer, address: string): Promise<MailContents> {
  const [mail, ...others] = await mailsTo(service, server, address)
  assert.ok(mail, `nothing came to ${address}`)
  assert.equal(others.length, 0, 'more than one has come')
  return contentOf(mail)
}

export type MailContents = {
  subject: string
  text: string
  html: string
  words: string
  raw: string
  received: Received
}

export function contentOf(received: Received): MailContents {
  const { subject = '', text = '', html = '' } = received.email
  // Intl uses several kinds of spaces in amounts.
  const plain = (content: string) => content.replace(/[\u00a0\u202f]/g, ' ').replaceAll('\r\n', '\n')
  return { subject: plain(subject), text: plain(text), html, words: plain(wordsOf(html)), raw: received.raw, received }
}

/** The visible text of an HTML mail. */
export function wordsOf(html: string): string {
  return html
    .replace(/<head>[\s\S]*<\/head>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(amp|lt|gt|quot);/g, (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name as 'amp'])
    .replace(/[^\S\u00a0\u202f]+/g, ' ')
}

/** Fails unless a mail has so many pictures, in a format that all mail programs show, for readers who are not signed in. */
export async function assertShowsPictures({ url }: Service, html: string, count: number): Promise<void> {
  const sources = Array.from(html.matchAll(/<img src="([^"]+)" alt="" width="56"/g), ([, source = '']) => source)
  assert.equal(sources.length, count, html)
  for (const source of sources) {
    const answer = await fetch(`${url}${new URL(source).pathname}`)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'], source)
  }
}
