import { loadavg } from 'node:os'
import type pg from 'pg'
import type { Asked } from '../cases.ts'
import { isPinning, OTHER_CORE, pin } from '../machine.ts'
import { measure, measureInTurn, median } from '../measure.ts'
import type { Options } from '../options.ts'
import {
  databaseHost,
  makeDataFolder,
  postmasterPid,
  type Service,
  seed,
  startBareServer,
  startLoad,
  startService,
  withDatabase,
} from '../processes.ts'
import { aimLine, type CaseResult, casesTable, conditionLines } from '../report.ts'
import { type Bought, measurePurchases, type Purchases } from './purchases.ts'
import { measureSearch, type Search, searchLines } from './search.ts'

export type Pages = {
  loadBefore: number
  options: Options
  cases: CaseResult[]
  /**
   * Milliseconds to the first byte, one page after another: of pages that nobody was shown before, and of pages whose content
   * is kept, for a visitor with a cookie.
   */
  firstByte: { title: string; ms: number; withCookieMs: number }[]
  purchases: Purchases
  searches: Search[]
}

const ORDERS = 500
const ANY = 10_000
const POPULAR = 50
const SINGLES = 40
const WARM_UP = 20
const FIRST_BYTE_MS_MAX = 15
const CHECKOUT_MAX = 1.2

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
async function firstByteOf({ address }: Service, title: string, paths: readonly string[]) {
  const fresh: number[] = []
  const shared: number[] = []
  for (let number = 0; number < WARM_UP + SINGLES; number += 1) {
    const url = `${address}${paths[number % paths.length]}`
    lastNumber += 1
    const made = await timeToFirstByte(`${url}${url.includes('?') ? '&' : '?'}number=${lastNumber}`, COOKIE)
    await timeToFirstByte(url, COOKIE)
    const known = await timeToFirstByte(url, COOKIE)
    if (number < WARM_UP) continue
    fresh.push(made)
    shared.push(known)
  }
  return { title, ms: median(fresh), withCookieMs: median(shared) }
}

/** Measures the pages of a shop and its checkout, and then the search of a large one, each on a database of its own. */
export async function measurePages(options: Options): Promise<Pages> {
  const loadBefore = loadavg()[0] ?? 0
  pin(OTHER_CORE, process.pid)
  const folder = await makeDataFolder()
  const service = await startService(folder, ['--no-worker'], { LICET_TRUST_PROXY: '127.0.0.1' })
  await seed(folder, options.products, ORDERS)
  const host = await databaseHost(folder)
  const postmaster = await postmasterPid(folder)
  const load = startLoad()
  const pages = await withDatabase(host, async (client) => {
    await client.query('vacuum analyze')
    const { base, films, categories, all, bought } = await choosePages(client, service)
    const firstByte = []
    for (const [title, paths] of [
      ['home', [`${base}/`]],
      ['category', categories],
      ['product', films],
      ['search', [`${base}/search?q=the`]],
    ] as const)
      firstByte.push(await firstByteOf(service, title, paths))
    const purchases = await measurePurchases(service, base, bought)
    const floor = await startBareServer('bench/shop/floor.ts', service.address)
    const cases: CaseResult[] = []
    for (const [name, title, paths, aim] of [
      ['home', 'home page', [`${base}/`], 0.5],
      ['category', 'category page', categories, 0.5],
      ['product', `product page, one of ${POPULAR}`, films, 0.5],
      ['any', `product page, one of ${all.length}`, all, undefined],
    ] as const) {
      console.log(`Measuring ${title} …`)
      const chosen = { title, requests: asked(paths), connectionsMax: ANY }
      const pair = await measureInTurn(
        options.rounds,
        () => measure(load, { ...floor, postmaster }, chosen, options),
        () => measure(load, { ...service, postmaster }, chosen, options),
      )
      const shown = aim === undefined ? { name, title } : { name, title, aim }
      cases.push({ case: shown, floor: pair.first, service: pair.second })
    }
    return { loadBefore, options, cases, firstByte, purchases }
  })
  return { ...pages, searches: await measureSearch() }
}

export function reportPages({ cases, firstByte, purchases, searches, options, loadBefore }: Pages): string {
  const { known, added } = purchases
  return [
    ...conditionLines({ at: '', node: process.version, pinned: isPinning(), loadBefore, options }),
    casesTable(cases),
    `First byte at rest, after ${WARM_UP} pages that are not counted:`,
    ...firstByte.map(({ title, ms }) =>
      aimLine(`first byte of a ${title} page that is not kept, at rest`, ms, ' ms', FIRST_BYTE_MS_MAX, 1),
    ),
    ...firstByte.map(({ title, withCookieMs }) =>
      aimLine(
        `the same for a visitor with a cookie, if others were shown the ${title} page`,
        withCookieMs,
        ' ms',
        FIRST_BYTE_MS_MAX,
        1,
      ),
    ),
    aimLine('an order at the checkout, in orders through the API', known.checkoutMs / known.apiMs, '', CHECKOUT_MAX, 2),
    `  checkout ${known.checkoutMs.toFixed(1)} ms, API ${known.apiMs.toFixed(1)} ms`,
    aimLine('the same with a new customer', added.checkoutMs / added.apiMs, '', CHECKOUT_MAX, 2),
    `  checkout ${added.checkoutMs.toFixed(1)} ms, API ${added.apiMs.toFixed(1)} ms, which hashes a password`,
    ...searchLines(searches),
    '',
  ].join('\n')
}
