import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { anyOf, condition } from '#platform/db/expressions.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import { prepareFamily } from '#platform/db/prepared.ts'
import { type Entitlements, entitlementsOf, owned, type Viewer, whole } from '../queries.ts'
import type { EntitlementState } from '../state.ts'

/** A customer, or a guest who sees what some orders gave. */
export type Owner = Viewer & { customerId: number }

/** What of the customer's things is shown: of these types of products, with all of these words in the title. */
export type ShelfFilters = Optional<{ types: readonly number[]; words: readonly string[] }>

type GivenFilters = Optional<{
  types: readonly number[]
  patterns: readonly string[]
  order_ids: readonly number[]
}>

const FILTERS: Filters<Entitlements, GivenFilters> = {
  types: (rows, types) => rows.where(condition`entitlements.product_type = any(${types}::smallint[])`),
  patterns: (rows, patterns) => rows.where(condition`entitlements.title ilike all(${patterns}::text[])`),
  order_ids: (rows, ids) => rows.where('entitlements.order_id', '=', anyOf(ids)),
}

/** A word may stand anywhere in a title. */
const patternOf = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`

const newest = prepareFamily(
  (db: Db, given: GivenFilters, companyId: number, customerId: number, before: number, limit: number) =>
    whole(narrow(entitlementsOf(db, companyId), FILTERS, given))
      .where('entitlements.customer_id', '=', customerId)
      .where('entitlements.group_id', 'is', null)
      .where('entitlements.id', '<', before)
      .orderBy('entitlements.id', 'desc')
      .limit(limit)
      .compile(),
)

/** A part of what a customer owns, the newest first. */
export async function readShelf(
  db: Db,
  { companyId, customerId, orderIds }: Owner,
  { types, words }: ShelfFilters,
  { before, limit }: { before: number; limit: number },
): Promise<EntitlementState[]> {
  const given = { types, patterns: words?.map(patternOf), order_ids: orderIds ?? undefined }
  const rows = await newest(db, given, companyId, customerId, before, limit)
  return rows.map((row) => owned(row).entitlement)
}

/** So many of the newest things are counted, so that the page of somebody with very many costs no more. */
export const COUNTED_MAX = 5000

const counted = prepareFamily((db: Db, given: GivenFilters, companyId: number, customerId: number) =>
  narrow(entitlementsOf(db, companyId), FILTERS, given)
    .where('entitlements.customer_id', '=', customerId)
    .where('entitlements.group_id', 'is', null)
    .where(condition`entitlements.id >= coalesce((select older.id from entitlements as older
      where older.company_id = ${companyId} and older.customer_id = ${customerId}
      order by older.id desc offset ${sql.lit(COUNTED_MAX - 1)} limit 1), 0)`)
    .select(['entitlements.product_type', (select) => select.fn.countAll<number>().as('count')])
    .groupBy('entitlements.product_type')
    .compile(),
)

/** How many things of each type of product there are among the newest. */
export function countShelf(
  db: Db,
  { companyId, customerId, orderIds }: Owner,
): Promise<{ product_type: number; count: number }[]> {
  return counted(db, { order_ids: orderIds ?? undefined }, companyId, customerId)
}
