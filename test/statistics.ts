import assert from 'node:assert/strict'
import fc from 'fast-check'
import { sql } from 'kysely'
import { foldChanges } from '#orders/counts/fold.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { PageView } from '#visits/state.ts'
import { aLicense, aPrice, aProduct, type Wire } from './factories.ts'
import type { Service, Shop } from './harness.ts'
import { untilWaiting } from './in-line.ts'

/** The record of a day without anything. */
export const NOTHING = {
  digital_count: 0,
  digital_amount: 0,
  international_count: 0,
  international_amount: 0,
  item_count: 0,
  national_count: 0,
  national_amount: 0,
  order_count: 0,
  order_amount: 0,
  permanent_license_count: 0,
  permanent_license_amount: 0,
  physical_count: 0,
  physical_amount: 0,
  rental_license_count: 0,
  rental_license_amount: 0,
}
export const NO_DEVICES = { fire_os: 0, chrome_os: 0, ios: 0, android: 0, windows: 0, os_x: 0, linux: 0, unknown: 0 }

export type Step =
  | { kind: 'sell'; film: number; cups: number; abroad: boolean; test: boolean }
  | { kind: 'refund' | 'cancel'; index: number }
  | { kind: 'wait'; hours: number }
  | { kind: 'visit'; visitor: number }
  | { kind: 'fold' | 'kill' | 'rebuild' | 'close' }

export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('sell' as const),
      film: fc.integer({ min: 0, max: 2 }),
      cups: fc.integer({ min: 0, max: 2 }),
      abroad: fc.boolean(),
      test: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('refund' as const, 'cancel' as const), index: fc.nat(20) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 30 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('visit' as const), visitor: fc.nat(3) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('fold' as const, 'kill' as const, 'rebuild' as const, 'close' as const),
    }),
  },
)

export type Sold = {
  id: number
  day: string
  film: number
  cups: number
  abroad: boolean
  counts: boolean
  lineIds: number[]
}

export const FILM_CENTS = 1000
export const CUP_CENTS = 300

/** A count from scratch, of orders as the test remembers them. */
export function recordOf(sold: readonly Sold[]): typeof NOTHING {
  const record = { ...NOTHING }
  for (const { film, cups, abroad, counts } of sold) {
    if (!counts) continue
    const [digital, physical] = [film * FILM_CENTS, cups * CUP_CENTS]
    record.order_count += 1
    record.order_amount += digital + physical
    record[abroad ? 'international_count' : 'national_count'] += 1
    record[abroad ? 'international_amount' : 'national_amount'] += digital + physical
    record.item_count += film + cups
    record.digital_count += film
    record.digital_amount += digital
    record.permanent_license_count += film
    record.permanent_license_amount += digital
    record.physical_count += cups
    record.physical_amount += physical
  }
  return record
}

/** The lines of an order of which something can still be refunded. */
export function linesLeft({ line_items, refunds }: Wire): number[] {
  const back = (id: number) =>
    refunds
      .flatMap(({ refund_line_items }: Wire) => refund_line_items)
      .filter(({ line_item }: Wire) => line_item.id === id)
      .reduce((sum: number, { quantity }: Wire) => sum + quantity, 0)
  return line_items.filter(({ id, quantity }: Wire) => quantity > back(id)).map(({ id }: Wire) => id)
}

/** A page of a shop that somebody looked at. */
export const aView = ({ companyId }: Shop, at: Date, given: Partial<PageView> = {}): PageView => ({
  companyId,
  shopId: 1,
  at,
  address: '192.0.2.1',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  path: '/',
  campaign: '',
  referrerHost: '',
  country: '',
  language: 'en',
  ...given,
})

/** A film that is rented for two days after it was first played. */
export async function aRental(service: Service, shop: Shop, cents: number): Promise<Wire> {
  const license = await aLicense(service, shop, { expire_after_first_use: 48 })
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: cents }] })
  return aProduct(shop, { published: true, price_license_binding: [{ license_id: license.id, price_id: price.id }] })
}

export async function aCup(service: Service, shop: Shop, cents: number): Promise<Wire> {
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: cents }] })
  return aProduct(shop, {
    product_type: 6,
    title: 'Cup',
    published: true,
    price_license_binding: [{ price_id: price.id }],
  })
}

/** The worker dies in the middle of adding up, when it has deleted the changes and not yet written the counts. */
export async function killFold(service: Service): Promise<void> {
  const waiting = await service.db.selectFrom('order_changes').select('id').limit(1).execute()
  if (waiting.length === 0) return
  await inTransaction(service.db, async (tx) => {
    await sql`lock table order_counts in share mode`.execute(tx)
    const folding = assert.rejects(foldChanges(service.db))
    await untilWaiting(service, 1)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(tx)
    await folding
  })
}
