import type pg from 'pg'
import { makeOrderCases, ORDER_CASE_NAMES } from './order-cases.ts'

const PRODUCT_CASE_NAMES = ['one', 'list', 'fields', 'count', 'filtered', 'full', 'licenses', 'prices'] as const

/** The cases in the order in which they are measured: those that change data come last. */
export const CASE_NAMES = [...PRODUCT_CASE_NAMES, ...ORDER_CASE_NAMES, 'create'] as const
export type CaseName = (typeof CASE_NAMES)[number]

export type Asked = { method: 'GET' | 'POST'; path: string; body?: string }

export type Case = {
  name: string
  title: string
  requests: Asked[]
  /** Fewer than the other cases', where one answer is a whole shop. */
  connectionsMax: number
  /** The status of an answer; 200 unless told. */
  status?: number
  /** The lowest ratio to the floor's speed that the service should reach. */
  aim?: number
}

const SINGLES = 500
const PAGES = 100
const ANY = 10_000
const FIRST_DAY = Date.UTC(2024, 0, 1)
const FILTER_SPAN_MS = 500 * 86_400_000

/** A product as a client creates it: two languages, chapters, tags. */
export const NEW_PRODUCT = JSON.stringify({
  product: {
    product_type: 9,
    title: 'The Patient Lighthouse of Bergen',
    version: '1.0',
    comment: 'Supplied by Tidewater Pictures',
    published: true,
    drm_protected: true,
    runtime: 5400,
    locales: [
      {
        language_id: 'en',
        title: 'The Patient Lighthouse of Bergen',
        description:
          '<p><strong>The Patient Lighthouse of Bergen</strong> — Filmed over three winters with a crew of four, it stays close to the people who never left. Every chapter stands on its own, and together they tell how a place remembers.</p>',
        email_text: '<p>Thank you. Your purchase waits for you under My Content.</p>',
      },
      {
        language_id: 'de',
        title: 'Der geduldige Leuchtturm von Bergen',
        description:
          '<p><strong>Der geduldige Leuchtturm von Bergen</strong> — Drei Winter lang gedreht, mit vier Leuten, bleibt der Film nah bei denen, die nie fortgingen. Jedes Kapitel steht für sich, und zusammen erzählen sie, wie ein Ort sich erinnert.</p>',
        email_text: '<p>Vielen Dank. Ihr Einkauf liegt unter Meine Inhalte bereit.</p>',
      },
    ],
    chapters: [
      { name: 'Part 1: Harbour', runtime: 1800 },
      { name: 'Part 2: Letters', runtime: 1800 },
      { name: 'Part 3: Observatory', runtime: 1800 },
    ],
    tagging: { year: 2021 },
    tagging_genre: [{ value: 'Documentary' }, { value: 'Nature' }],
    tagging_people: [{ role: 'Narrator', person: 'Ingrid Moreira' }],
  },
})

function get(path: string): Asked {
  return { method: 'GET', path }
}

function some<Value>(count: number, make: () => Value): Value[] {
  return Array.from({ length: count }, make)
}

/** The requests of every case, for products that exist. */
export async function makeCases(client: pg.Client, companyId: number): Promise<Record<CaseName, Case>> {
  const { rows } = await client.query<{ id: string }>('select id from products where company_id = $1 order by id', [
    companyId,
  ])
  const ids = rows.map(({ id }) => id)
  const pick = (last: number) => ids[Math.floor(Math.random() * last)]
  const day = () => new Date(FIRST_DAY + Math.random() * FILTER_SPAN_MS).toISOString().slice(0, 19)
  return {
    one: {
      name: 'one',
      title: 'one product',
      requests: some(SINGLES, () => get(`/api/products/${pick(ids.length)}.json`)),
      connectionsMax: ANY,
      aim: 0.7,
    },
    list: {
      name: 'list',
      title: 'list of 50',
      // A full page that has a next one, from a random start.
      requests: some(PAGES, () => get(`/api/products.json?limit=50&since_id=${pick(ids.length - 51)}`)),
      connectionsMax: ANY,
      aim: 0.6,
    },
    fields: {
      name: 'fields',
      title: 'list of 50, some fields',
      requests: some(PAGES, () =>
        get(`/api/products.json?limit=50&since_id=${pick(ids.length - 51)}&fields=id,title,updated_at,locales`),
      ),
      connectionsMax: ANY,
    },
    count: { name: 'count', title: 'count', requests: [get('/api/products/count.json')], connectionsMax: ANY },
    filtered: {
      name: 'filtered',
      title: 'filtered list',
      requests: some(PAGES, () => get(`/api/products.json?product_type=9&updated_at_min=${day()}&limit=50`)),
      connectionsMax: ANY,
    },
    full: { name: 'full', title: 'full list', requests: [get('/api/products.json')], connectionsMax: 2 },
    licenses: {
      name: 'licenses',
      title: 'list of licenses',
      requests: [get('/api/licenses.json')],
      connectionsMax: ANY,
      aim: 0.6,
    },
    prices: {
      name: 'prices',
      title: 'list of prices',
      requests: [get('/api/prices.json')],
      connectionsMax: ANY,
      aim: 0.65,
    },
    create: {
      name: 'create',
      title: 'create product',
      requests: [{ method: 'POST', path: '/api/products.json', body: NEW_PRODUCT }],
      connectionsMax: ANY,
      status: 201,
      aim: 0.65,
    },
    ...(await makeOrderCases(client, companyId)),
  }
}
