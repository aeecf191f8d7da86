import { request } from 'undici'
import type { Stage } from '../load/run.ts'
import { type Counted, numberOf, productIdOfNumber } from './copies.ts'
import type { Filling } from './fill.ts'
import type { PerCompany } from './sizes.ts'

/** Who reads: an app, a user of the company, a visitor, or a customer who has signed in. */
export type Reader = 'app' | 'user' | 'visitor' | 'customer'

export type Read = { what: string; by: Reader; path: (pick: Pick) => string }

/** Something that the company has had since the first tenth, so that every size reads the same things. */
type Pick = {
  id(what: Counted): number
  base: string
  page(per: number, what: Counted): number
  word(): string
  day(): string
}

const api = (what: string, path: Read['path']): Read => ({ what, by: 'app', path })
const admin = (what: string, path: Read['path']): Read => ({ what, by: 'user', path })

/**
 * What is read most, and what could grow with the data: lists, pages far behind, counts, filters, searches and pages. A tenth has as much as
 * a list asks for, so that the answers at the end are no larger.
 */
export const READS: readonly Read[] = [
  api('a product', ({ id }) => `/api/products/${id('products')}.json`),
  api('products', () => '/api/products.json?limit=50'),
  api('products, a page far behind', ({ page }) => `/api/products.json?limit=10&page=${page(10, 'products')}`),
  api('products of a type', () => '/api/products.json?limit=50&product_type=1'),
  api('products by title', () => '/api/products.json?limit=50&sort=title'),
  api('products, a search', ({ word }) => `/api/products.json?limit=50&q=${word()}`),
  api('count of products', () => '/api/products/count.json'),
  api('an order', ({ id }) => `/api/orders/${id('orders')}.json`),
  api('orders, the newest', () => '/api/orders.json?limit=50&sort=-id'),
  api('orders, a page far behind', ({ page }) => `/api/orders.json?limit=50&page=${page(50, 'orders')}`),
  api('orders that are paid', () => '/api/orders.json?limit=50&financial_status=paid&sort=-id'),
  api('orders since a day', ({ day }) => `/api/orders.json?limit=50&created_at_min=${day()}`),
  api('orders of a product', ({ id }) => `/api/orders.json?limit=5&product_id=${productIdOfNumber(id('products'))}`),
  api('count of orders', () => '/api/orders/count.json'),
  api('count of orders since a day', ({ day }) => `/api/orders/count.json?created_at_min=${day()}`),
  api('customers', () => '/api/customers.json?limit=50'),
  api(
    'customers, a search',
    ({ id }) => `/api/customers/search.json?query=email:grown-${id('customers')}@customer.example`,
  ),
  api('a customer', ({ id }) => `/api/customers/${id('customers')}.json`),
  api('what a customer owns', ({ id }) => `/api/customers/${id('customers')}/content.json`),
  api('an entitlement', ({ id }) => `/api/entitlements/${id('entitlements')}.json`),
  admin('products of the admin interface', () => '/admin/api/products.json?limit=50&sort=-id&total_count=1'),
  admin('orders of the admin interface', () => '/admin/api/orders.json?limit=50&sort=-id&total_count=1'),
  admin('customers of the admin interface', () => '/admin/api/customers.json?limit=50&sort=-id&total_count=1'),
  admin('orders, a search', ({ id }) => `/admin/api/orders.json?limit=50&q=${id('orders')}`),
  admin(
    'customers, a search of the admin interface',
    ({ word }) => `/admin/api/customers.json?limit=50&q=Roe+${word().slice(5)}`,
  ),
  admin('what needs attention', () => '/admin/api/attention.json'),
  { what: 'the home page', by: 'visitor', path: ({ base }) => base },
  { what: 'a page of a product', by: 'visitor', path: ({ base, id }) => `${base}/products/${id('products')}` },
  { what: 'a search in the shop', by: 'visitor', path: ({ base, word }) => `${base}/search?q=${word()}` },
  {
    what: 'suggestions',
    by: 'visitor',
    path: ({ base, word }) => `${base}/search/suggestions?q=${word().slice(0, 6)}`,
  },
  { what: 'My Content', by: 'customer', path: ({ base }) => `${base}/my-content` },
  { what: 'orders of the account', by: 'customer', path: ({ base }) => `${base}/account/orders` },
]

const YEAR_AGO_DAYS = 365

export type Measured = { what: string; ms: number }

/** The median time of each read, one request at a time. */
export async function measureReads(
  stage: Stage,
  { plan }: Filling,
  {
    times,
    warmUp,
    customerCookie,
    inFirst,
  }: { times: number; warmUp: number; customerCookie: string; inFirst: PerCompany },
): Promise<Measured[]> {
  const { shop } = stage
  const headers: Record<Reader, Record<string, string>> = {
    app: { authorization: `Bearer ${shop.token}` },
    user: { cookie: `licet_session=${shop.session}` },
    visitor: { accept: 'text/html' },
    customer: { accept: 'text/html', cookie: `licet_customer=${customerCookie}` },
  }
  let turn = 0
  const nth = (of: number) => (turn * 7919) % of
  const pick: Pick = {
    // The company is the first of all.
    id: (what) => numberOf(plan, what, nth(inFirst[what])),
    base: shop.base,
    page: (per, what) => Math.max(2, Math.floor((inFirst[what] / per) * 0.75)),
    word: () => `grown${nth(inFirst.products)}`,
    day: () => new Date(Date.now() - (YEAR_AGO_DAYS * 2 - 1) * 86_400_000).toISOString(),
  }
  const measured: Measured[] = []
  for (const { what, by, path } of READS) {
    const took: number[] = []
    for (let nthTime = -warmUp; nthTime < times; nthTime += 1) {
      turn += 1
      const ms = await timeOf((await stage.address()) + path(pick), headers[by])
      if (nthTime >= 0) took.push(ms)
    }
    measured.push({ what, ms: took.toSorted((one, other) => one - other)[Math.floor(took.length / 2)] ?? Number.NaN })
  }
  return measured
}

/** Until the whole answer is there. */
async function timeOf(url: string, headers: Record<string, string>): Promise<number> {
  const started = performance.now()
  const { statusCode, body } = await request(url, { headers: { ...headers, 'accept-language': 'en' } })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${url} answers ${statusCode}: ${text.slice(0, 300)}`)
  return performance.now() - started
}
