import type pg from 'pg'
import type { Asked, Case } from '../cases.ts'
import { figureOf, type Measured } from '../figures.ts'
import { measureCases, median } from '../measure.ts'
import type { Options } from '../options.ts'
import { startBareServer, startLoad } from '../processes.ts'
import { aimLine, casesTable } from '../report.ts'
import { type Service, startFilled, withDatabase } from '../services.ts'
import { type Bought, measurePurchases, purchaseFigures, purchaseLines } from './purchases.ts'
import { measureSearch, searchFigure, searchLines } from './search.ts'

/**
 * Milliseconds to the first byte, one page after another: of pages that nobody was shown before, and of pages whose content
 * is kept, for a visitor with a cookie.
 */
type FirstByte = { title: string; ms: number; withCookieMs: number }

const ORDERS = 500
const ANY = 10_000
const POPULAR = 50
const SINGLES = 40
const WARM_UP = 20
const FIRST_BYTE_MS_MAX = 15

type Stage = { base: string; films: string[]; categories: string[]; all: string[]; bought: Bought }

async function choosePages(client: pg.Client, { companyId }: Service): Promise<Stage> {
  const read = async (text: string) => (await client.query<{ id: string }>(text, [companyId])).rows.map(({ id }) => id)
  const [setting] = await read('select id from theme_settings where company_id = $1 order by id limit 1')
  const ofShop = `/shop/${setting}`
  const products = await read(`select id from products where company_id = $1 and published and product_type = 9
    and exists (select from product_bindings as binding where binding.company_id = products.company_id
      and binding.product_key = products.id) order by id desc limit 5000`)
  const { rows } = await client.query<Bought>(
    `select products.product_id, binding.license_id::int from products join product_bindings as binding
      on binding.company_id = products.company_id and binding.product_key = products.id
    where products.company_id = $1 and products.id = $2 order by binding.position limit 1`,
    [companyId, products[0]],
  )
  const [bought] = rows
  if (bought === undefined) throw new Error('there is no film to buy')
  // The seed adds no files, and shops sell no film without one.
  await client.query('update products set has_content = true where company_id = $1 and id = $2', [
    companyId,
    products[0],
  ])
  const categories = await read(`select category_id as id from category_entries where company_id = $1
    group by category_id order by count(*) desc limit 5`)
  return {
    base: ofShop,
    films: products.slice(0, POPULAR).map((id) => `${ofShop}/products/${id}`),
    categories: categories.map((id) => `${ofShop}/categories/${id}`),
    all: products.map((id) => `${ofShop}/products/${id}`),
    bought,
  }
}

const asked = (paths: readonly string[]): Asked[] => paths.map((path) => ({ method: 'GET', path }))

/** A cookie keeps a page from being sent as it was to others, and a new address keeps its content from being taken from them. */
const COOKIE = { cookie: 'a=1' }
let lastNumber = 0

async function timeToFirstByte(url: string, headers: Record<string, string>): Promise<number> {
  const started = performance.now()
  const response = await fetch(url, { headers })
  const ms = performance.now() - started
  if (response.status !== 200) throw new Error(`${url} answers ${response.status}`)
  await response.text()
  return ms
}

/** The first pages are not counted: after a start, Node compiles the code that makes them. */
async function firstByteOf(
  { address }: Service,
  title: string,
  paths: readonly string[],
  [warmUp, singles]: readonly [number, number],
): Promise<FirstByte> {
  const fresh: number[] = []
  const shared: number[] = []
  for (let number = 0; number < warmUp + singles; number += 1) {
    const url = `${address}${paths[number % paths.length]}`
    lastNumber += 1
    const made = await timeToFirstByte(`${url}${url.includes('?') ? '&' : '?'}number=${lastNumber}`, COOKIE)
    await timeToFirstByte(url, COOKIE)
    const known = await timeToFirstByte(url, COOKIE)
    if (number < warmUp) continue
    fresh.push(made)
    shared.push(known)
  }
  return { title, ms: median(fresh), withCookieMs: median(shared) }
}

/** Measures the pages of a shop and its checkout, and then the search of a large one, each on a database of its own. */
export async function measurePages(options: Options): Promise<Measured> {
  const { smoke, products } = options
  const env = { LICET_TRUST_PROXY: '127.0.0.1' }
  const filled = await startFilled({ products, orders: ORDERS, flags: ['--no-worker'], env }, smoke)
  const { host, postmaster } = filled
  const service = { ...filled.service, postmaster }
  const load = startLoad()
  const pages = await withDatabase(host, async (client) => {
    await client.query('vacuum analyze')
    const { base, films, categories, all, bought } = await choosePages(client, service)
    const firstByte: FirstByte[] = []
    for (const [title, paths] of [
      ['home', [`${base}/`]],
      ['category', categories],
      ['product', films],
      ['search', [`${base}/search?q=the`]],
    ] as const)
      firstByte.push(await firstByteOf(service, title, paths, smoke ? [0, 1] : [WARM_UP, SINGLES]))
    const purchases = await measurePurchases(service, base, bought, smoke)
    const floor = { ...(await startBareServer('bench/shop/floor.ts', service.address)), postmaster }
    const page = (name: string, title: string, paths: readonly string[]): Case => ({
      name,
      title,
      requests: asked(paths),
      connectionsMax: ANY,
    })
    const cases: Case[] = [
      { ...page('home', 'home page', [`${base}/`]), aim: 0.5 },
      { ...page('category', 'category page', categories), aim: 0.5 },
      { ...page('product', `product page, one of ${POPULAR}`, films), aim: 0.5 },
      page('any', `product page, one of ${all.length}`, all),
    ]
    const results = await measureCases(load, { service, floor }, cases, options)
    return { results, firstByte, purchases }
  })
  const searches = await measureSearch(smoke, filled)
  const { results, firstByte, purchases } = pages
  return {
    figures: [...results.map(figureOf), ...purchaseFigures(purchases), searchFigure(searches)],
    lines: [casesTable(results), ...firstByteLines(firstByte), ...purchaseLines(purchases), ...searchLines(searches)],
    details: { ...pages, searches },
  }
}

function firstByteLines(firstByte: readonly FirstByte[]): string[] {
  const line = (what: string, ms: number) => aimLine(what, ms, ' ms', FIRST_BYTE_MS_MAX, 1)
  return [
    `First byte at rest, after ${WARM_UP} pages that are not counted:`,
    ...firstByte.map(({ title, ms }) => line(`first byte of a ${title} page that is not kept, at rest`, ms)),
    ...firstByte.map(({ title, withCookieMs }) =>
      line(`the same for a visitor with a cookie, if others were shown the ${title} page`, withCookieMs),
    ),
  ]
}
