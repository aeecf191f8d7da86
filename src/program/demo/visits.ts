import { type CountedDay, insertCountedDays } from '#insight/visits/bulk-insert.commands.ts'
import { endOfDay } from '#insight/visits/rules.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { gramsIn } from '#selling/orders/sale/draft.rules.ts'
import { priceOrder, type Sale } from '#selling/orders/sale/pricing.rules.ts'
import type { SaleRecord } from '#selling/orders/statistics/rules.ts'
import { dayAt } from '#selling/orders/statistics/rules.ts'
import { chooseMethod } from '#selling/shipping-methods/rules.ts'
import { insertAbandonedCarts, type NewAbandonedCart } from '#shop/checkout/abandoned/commands.ts'
import { recordOfQuote } from '#shop/checkout/abandoned/value.queries.ts'
import { productPath } from '#shop/site/paths.rules.ts'
import { createRandom, type Random } from './random.ts'
import type { Catalog } from './sales.ts'
import { BOUNCES, makeVisit, type SeededVisit, type TrafficDay, trafficDays } from './traffic.ts'

const DAYS = 2 * 365
const DAY_MS = 86_400_000
/** How each visit went is stored for as long. */
const KEPT_DAYS = 90
const DAYS_AT_ONCE = 10
const BOTS = 0.14
/** Of people who visit. */
const CARTS = 0.06
/** Of the carts that are begun. */
const LEFT = 0.7
const LINES_MAX = 3

export type SeedVisitsOptions = {
  visits: number
  seed: number
  now: Date
  onProgress?: (done: number) => void
}

type SeededDay = { day: CountedDay; visits: SeededVisit[]; begun: number; left: NewAbandonedCart[] }

/**
 * Seeds a shop with two years of visits and of carts that were left, up to yesterday; all of them or none. The same seed makes
 * the same visits on the same day.
 */
export async function seedVisits(db: Db, catalog: Catalog, options: SeedVisitsOptions): Promise<void> {
  const { visits: total, seed, now, onProgress } = options
  const { seller, utcOffset, shopId } = catalog
  const random = createRandom(seed)
  const paths = landingPaths(catalog)
  const today = new Date(endOfDay(dayAt(now, utcOffset), utcOffset).getTime() - DAY_MS)
  const days = trafficDays(today, DAYS, utcOffset)
  let [done, made] = [0, 0]
  await inTransaction(db, async (tx) => {
    for (let from = 0; from < days.length; from += DAYS_AT_ONCE) {
      const batch = days.slice(from, from + DAYS_AT_ONCE).map((day) => {
        // The parts of visits that a day cannot have are left to the next one.
        made += day.weight * total * (0.88 + random.below(25) / 100)
        const count = Math.max(0, Math.round(made))
        made -= count
        done += count
        return makeDay(random, day, count, catalog, paths)
      })
      await insertCountedDays(
        tx,
        seller.id,
        batch.map(({ day }) => day),
        batch.flatMap(({ day, visits }) =>
          today.getTime() - day.ends_at.getTime() < KEPT_DAYS * DAY_MS
            ? visits.map((visit) => ({ ...visit, day: day.day, theme_setting_id: shopId }))
            : [],
        ),
      )
      await insertAbandonedCarts(
        tx,
        seller.id,
        batch.map(({ day, begun }) => ({ day: day.day, carts: begun })),
        batch.flatMap(({ left }) => left),
      )
      onProgress?.(Math.min(done, total))
    }
  })
  onProgress?.(total)
}

function makeDay(
  random: Random,
  traffic: TrafficDay,
  count: number,
  catalog: Catalog,
  paths: readonly string[],
): SeededDay {
  const visits = Array.from({ length: count }, () => makeVisit(random, traffic, paths))
  const begun = visits.filter(({ page_views }) => page_views > 1 && random.often(CARTS / (1 - BOUNCES)))
  const day = dayAt(traffic.start, catalog.utcOffset)
  const left = begun
    .filter(() => random.often(LEFT))
    .flatMap(({ country, started_at }) => {
      const record = makeLeftCart(random, catalog, country, started_at)
      return record === undefined ? [] : { day, record }
    })
  return { day: countDay(random, visits, day, traffic), visits, begun: begun.length, left }
}

function countDay(random: Random, visits: readonly SeededVisit[], day: string, { start }: TrafficDay): CountedDay {
  const repeating = visits.filter(({ visit_number }) => visit_number > 1).length
  return {
    day,
    ends_at: new Date(start.getTime() + DAY_MS),
    visits: visits.length,
    page_views: visits.reduce((sum, { page_views }) => sum + page_views, 0),
    visitors: visits.length - repeating,
    repeating_visitors: repeating,
    bots: Math.round(visits.length * BOTS * (0.6 + random.below(80) / 100)),
    bounces: visits.filter(({ page_views }) => page_views === 1).length,
  }
}

/** Visits that do not begin on the home page begin on that of a product. */
function landingPaths({ linesFor }: Catalog): string[] {
  const products = new Map(
    [...linesFor.values()].flat().map(({ product }) => [product.id, productPath(product.id, product.title)] as const),
  )
  return products.size === 0 ? ['/'] : [...products.values()]
}

/** What a visitor has put into a cart and left, by the rules that price every cart. */
function makeLeftCart(random: Random, catalog: Catalog, visitor: string, now: Date): SaleRecord | undefined {
  const { seller, ownRates, methods, rates, linesFor } = catalog
  const country = linesFor.has(visitor) ? visitor : ([...linesFor.keys()][0] ?? '')
  const offered = linesFor.get(country) ?? []
  if (offered.length === 0) return undefined
  const lines = [...new Set(Array.from({ length: 1 + random.below(LINES_MAX) }, () => random.pick(offered)))]
  const method = lines.some(({ kind }) => kind === 'physical')
    ? chooseMethod(methods, undefined, { country, grams: gramsIn(lines) })
    : undefined
  const sale: Sale = { seller, country, destination: country, ownRates, currency: undefined, reverseCharge: false, now }
  const pricing = priceOrder({ lines, codes: [], method, sale }, rates)
  return pricing === undefined ? undefined : recordOfQuote({ draft: { lines, sale }, pricing })
}
