import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { createLicense } from '#catalog/licenses/commands.ts'
import { changeOffer, offerProducts } from '#catalog/marketplace/commands.ts'
import { findOfferOf } from '#catalog/marketplace/queries.ts'
import type { OfferInput } from '#catalog/marketplace/schema.ts'
import { createPrice } from '#catalog/prices/commands.ts'
import { mailTextsOf } from '#catalog/products/mail-texts.queries.ts'
import { presentProduct } from '#catalog/products/present.ts'
import { readProducts } from '#catalog/products/queries.ts'
import { saveWords } from '#catalog/products/search/words.commands.ts'
import type { ProductState } from '#catalog/products/state.ts'
import { nowInSeconds } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { OWN_ADDRESS } from '#platform/wire/own-address.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Service, Shop } from './harness.ts'

/** Every type of product that can be made. */
export const PRODUCT_TYPES = [1, 3, 4, 5, 6, 7, 8, 9, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30]

export const VIDEO = [1, 9, 22]
export const AUDIO = [5, 23, 24]
export const BOOK = [16]
export const SOFTWARE = [4, 18, 27]
export const PHYSICAL = [6]

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries.
export type Wire = any

/** Makes a product through the interface. */
export async function aProduct(shop: Shop, attributes: object = {}): Promise<Wire> {
  const answer = await shop.post('/api/products.json', { product: { product_type: 1, title: 'Film', ...attributes } })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.product
}

/** Puts a product into a theme that no longer exists, which the interface does not allow. */
export async function putIntoLostTheme(
  service: Service,
  shop: Shop,
  productKey: number,
  themeId: number,
): Promise<void> {
  await sql`insert into product_themes (company_id, id, product_key, theme_id, created_at)
    values (${shop.companyId}, nextval('part_ids'), ${productKey}, ${themeId}, now())`.execute(service.db)
}

/** Makes a category through the interface. */
export async function aCategory(shop: Shop, attributes: object = {}): Promise<Wire> {
  const answer = await shop.post('/api/categories.json', { category: { title: 'Films', ...attributes } })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.category
}

/** Makes a theme setting through the interface. */
export async function aThemeSetting(shop: Shop, attributes: object = {}): Promise<Wire> {
  const answer = await shop.post('/api/themesettings.json', { ThemeSetting: attributes })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.ThemeSetting
}

/** General licenses that come with the service. */
export const [BUY, RENT] = [1, 2]

/** Makes a price model of the shop's own; the interface only reads them. */
export async function aPrice(service: Service, shop: Shop, attributes: object = {}): Promise<Wire> {
  const input = { title: 'Film', currencies: [{ currency: 'eur', price: 999 }], ...attributes }
  const now = nowInSeconds(service.clock)
  const { document } = await inTransaction(service.db, (tx) => createPrice(tx, shop, input, now))
  return JSON.parse(document)
}

/** Makes a license of the shop's own; the interface only reads them. */
export async function aLicense(service: Service, shop: Shop, attributes: object = {}): Promise<Wire> {
  const input = { name: 'Film club', ...attributes }
  const now = nowInSeconds(service.clock)
  const { document } = await inTransaction(service.db, (tx) => createLicense(tx, shop, input, now))
  return JSON.parse(document)
}

/** Offers a shop's products in the marketplace, or changes the offer, and returns the `market_id`. */
export async function anOffer(service: Service, shop: Shop, input: OfferInput = {}): Promise<number> {
  const now = nowInSeconds(service.clock)
  const { state } = await inTransaction(service.db, async (tx) =>
    (await findOfferOf(tx, shop.companyId)) === undefined
      ? offerProducts(tx, shop, { cost_to_licensees_percent: 30, ...input }, now)
      : changeOffer(tx, shop, input, now),
  )
  return state.id
}

export async function readProduct(shop: Shop, ref: number | string): Promise<Wire> {
  const answer = await shop.get(`/api/products/${ref}.json`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.product
}

export async function readCategory(shop: Shop, id: number): Promise<Wire> {
  const answer = await shop.get(`/api/categories/${id}.json`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.category
}

export async function readThemeSetting(shop: Shop, id: number): Promise<Wire> {
  const answer = await shop.get(`/api/themesettings/${id}.json`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.ThemeSetting
}

/** A body with every attribute that a product of the type may have. */
export function everything(type: number, categoryIds: number[], priceId: number, pictureUrl: string) {
  const isOf = (...kinds: number[][]) => kinds.flat().includes(type)
  const media = isOf(VIDEO, AUDIO, BOOK)
  const binding = { license_id: BUY, price_id: priceId, compare_price_id: priceId }
  return {
    product_type: type,
    title: 'The Long Way Home',
    version: '1.2',
    comment: 'Ask Jane <b>first</b>.',
    published: false,
    published_at: '2031-02-03T04:05:06',
    pre_sales: true,
    drm_protected: true,
    attribute_set_id: 12,
    supplier: 'S-77',
    allow_download_trial: isOf(SOFTWARE) ? 1 : 0,
    runtime: isOf(VIDEO, AUDIO) ? 5400 : null,
    gtin: isOf(PHYSICAL) ? '4006381333931' : null,
    weight: isOf(PHYSICAL) ? 250.5 : null,
    items_in_stock: isOf(PHYSICAL) ? 12 : null,
    manage_stock: isOf(PHYSICAL),
    tax_class: 'reduced',
    categories: categoryIds.map((category_id) => ({ category_id })),
    chapters: isOf(VIDEO)
      ? [
          { name: 'Departure', runtime: 60 },
          { name: 'Arrival', runtime: 90 },
        ]
      : [],
    groups: [
      { group_id: 'c12', start_at: '2024-01-01T00:00:00', end_at: '2025-01-01T00:00:00' },
      { group_id: 'p-1', start_at: null, end_at: null },
    ],
    locales: [
      {
        language_id: 'en',
        title: 'The Long Way Home',
        description: '<p>A <i>film</i> &amp; more</p>',
        email_text: '<b>Thank you</b>',
        product_url: 'https://example.com/film',
        seo_title: 'Long Way',
        seo_description: 'A film about a way.',
        seo_keywords: 'way, home',
        version: '1.2 en',
        src: pictureUrl,
      },
      { language_id: 'de', title: 'Der lange Heimweg' },
    ],
    preview_pictures: [{ src: `${pictureUrl}?1` }, { src: `${pictureUrl}?2` }],
    price_license_binding: isOf(PHYSICAL)
      ? [{ ...binding, license_id: null }]
      : [
          {
            ...binding,
            hd: isOf(VIDEO) ? true : null,
            ...(isOf(AUDIO) ? { audio_type: 3 } : {}),
            ...(isOf([17]) ? {} : { num_users: 5 }),
          },
          { ...binding, license_id: RENT },
        ],
    tagging: { isbn: media ? '978-3-16-148410-0' : null, year: 2024, ...(media ? { age: 12 } : {}) },
    tagging_genre: media ? [{ value: 'Drama' }, { value: 'Travel' }] : [],
    tagging_studios: media ? [{ value: 'North' }] : [],
    tagging_people: media ? [{ role: 'Ann', person: 'Jane Roe' }] : [],
    tagging_script: media ? [{ person: 'John Doe' }] : [],
    tagging_director: media ? [{ person: 'Max Muster' }] : [],
    themes: [{ theme_id: -1 }, { theme_id: 1 }],
  }
}

/** Asserts that a refusal is 422 and blames exactly these attributes. */
export function assertBlames(answer: { status: number; text: string; body: Wire }, paths: string[]): void {
  assert.equal(answer.status, 422, answer.text)
  assert.equal(answer.body.code, 'validation_failed')
  assert.deepEqual(Object.keys(answer.body.errors).sort(), [...paths].sort())
}

/** The events of a shop, oldest first. */
export async function eventsOf(service: Service, shop: Shop): Promise<{ topic: string; data: Wire }[]> {
  return service.db
    .selectFrom('events')
    .select(['topic', 'data'])
    .where('company_id', '=', shop.companyId)
    .orderBy('id')
    .execute()
}

export async function storedDocument(service: Service, shop: Shop, id: number): Promise<string> {
  const { document } = await service.db
    .selectFrom('products')
    .select('document')
    .where('company_id', '=', shop.companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return document
}

/** How shops find a product, as it is stored. */
async function storedWords(db: Db, id: number): Promise<unknown[]> {
  return (await sql`select * from product_words where product_key = ${id}`.execute(db)).rows
}

async function freshWords({ db }: Service, product: ProductState): Promise<unknown[]> {
  return inTransaction(db, async (tx) => {
    await saveWords(tx, product.company_id, [product])
    return storedWords(tx, product.id)
  })
}

/** Asserts that the stored document, the response to a read and the presented rows are the same. */
export async function assertPresentedFresh(service: Service, shop: Shop, id: number): Promise<void> {
  const stored = await storedDocument(service, shop, id)
  const [product] = await readProducts(service.db, shop.companyId, [id])
  assert.ok(product)
  assert.equal(stored, asciiJson(presentProduct(product)))
  const { mail_texts } = await service.db
    .selectFrom('products')
    .select('mail_texts')
    .where('company_id', '=', shop.companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.deepEqual(mail_texts, await mailTextsOf(product.locales))
  assert.deepEqual(await storedWords(service.db, id), await freshWords(service, product))
  assert.deepEqual(await readProduct(shop, id), JSON.parse(stored.replaceAll(OWN_ADDRESS, service.url)))
}

export type PictureHost = { url(path: string): string; readonly requests: string[] }

/** A web server with a picture at every path except those below /missing. */
export function usePictureHost(): PictureHost {
  const requests: string[] = []
  let server: Server
  before(async () => {
    const paint = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: 'teal' } })
        .png()
        .toBuffer()
    const [png, wide, tall] = await Promise.all([paint(40, 30), paint(1280, 720), paint(400, 600)])
    const pictureAt = (path: string) => (path.startsWith('/wide') ? wide : path.startsWith('/tall') ? tall : png)
    server = createServer((request, response) => {
      requests.push(request.url ?? '')
      if (request.url?.startsWith('/missing')) response.writeHead(404).end('none')
      else response.writeHead(200, { 'content-type': 'image/png' }).end(pictureAt(request.url ?? ''))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(() => void server.close())
  return {
    requests,
    url: (path) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
  }
}
