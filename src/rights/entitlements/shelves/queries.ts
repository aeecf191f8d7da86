import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { anyOf, condition } from '#platform/db/expressions.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import { prepare, prepareFamily } from '#platform/db/prepared.ts'
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

const opened = prepare((db: Db, companyId: number, customerId: number, limit: number) =>
  whole(entitlementsOf(db, companyId))
    .where('entitlements.customer_id', '=', customerId)
    .where('entitlements.group_id', 'is not', null)
    .orderBy('entitlements.id', 'desc')
    .limit(limit)
    .compile(),
)

/** What a customer has opened by memberships, the newest first. Guests have none. */
export async function readOpenedShelf(
  db: Db,
  { companyId, customerId, orderIds }: Owner,
  limit: number,
): Promise<EntitlementState[]> {
  if (orderIds != null) return []
  return (await opened(db, companyId, customerId, limit)).map((row) => owned(row).entitlement)
}

/** So many of the newest things are counted, so that the page of somebody with very many costs no more. */
export const COUNTED_MAX = 5000

const isOpened = condition`entitlements.group_id is not null`

const counted = prepareFamily((db: Db, given: GivenFilters, companyId: number, customerId: number) =>
  narrow(entitlementsOf(db, companyId), FILTERS, given)
    .where('entitlements.customer_id', '=', customerId)
    .where(condition`entitlements.id >= coalesce((select older.id from entitlements as older
      where older.company_id = ${companyId} and older.customer_id = ${customerId}
      order by older.id desc offset ${sql.lit(COUNTED_MAX - 1)} limit 1), 0)`)
    .select(['entitlements.product_type', isOpened.as('is_opened')])
    .select((select) => select.fn.countAll<number>().as('count'))
    .groupBy(['entitlements.product_type', isOpened])
    .compile(),
)

/** `is_opened`: by a membership, so that the customer does not own it. */
export type ShelfCount = { product_type: number; is_opened: boolean; count: number }

/** How many things of each type of product there are among the newest. */
export function countShelf(db: Db, { companyId, customerId, orderIds }: Owner): Promise<ShelfCount[]> {
  return counted(db, { order_ids: orderIds ?? undefined }, companyId, customerId)
}
