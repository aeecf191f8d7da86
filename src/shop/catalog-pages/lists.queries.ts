import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import { appears, cardColumns, DEPTH_MAX, type ListRequest, mirrorJoin, PAGE_SIZE, whatAppears } from './queries.ts'
import type { CardRow } from './state.ts'

export const RELATED_MAX = 5

/**
 * The entries of a list that are looked at, until enough of them appear in the shop. Most lists need no more than the
 * first. The numbers are part of the statements: PostgreSQL plans a statement with a limit that it does not know for each
 * execution, which takes longer than the statement itself.
 */
export const WINDOWS = [64, 1000, 1_000_000] as const

/** The place of a product in a category, and where the next page begins. */
export type Place = { position: number; key: number }

export const START: Place = { position: -1, key: 0 }

/** A product in several of the categories has the first of its places in all of them. */
const categoryCardsIn = (window: number, limit: number) =>
  prepare((db: Db, companyId: number, themeId: number, id: number, now: Date, position: number, key: number) =>
    sql<CardRow & { candidates: number }>`with recursive tree as (
        select ${id}::bigint as id, 1 as depth
        union all
        select child.id, tree.depth + 1 from tree
        join categories as child on child.company_id = ${companyId} and child.parent_id = tree.id and child.enabled
        where tree.depth < ${sql.lit(DEPTH_MAX)}
      ), entries as materialized (
        select min(entry.position) as position, entry.product_key from tree cross join lateral (
          select entry.position, entry.product_key from category_entries as entry
          where entry.company_id = ${companyId} and entry.category_id = tree.id
            and (entry.position, entry.product_key) > (${position}::bigint, ${key}::bigint)
          order by entry.position, entry.product_key limit ${sql.lit(window)}) as entry
        group by entry.product_key
        order by min(entry.position), entry.product_key limit ${sql.lit(window)})
      select ${cardColumns(now)}, entry.position || '-' || entry.product_key as place,
        (select count(*)::int from entries) as candidates
      from (select * from entries order by entries.position, entries.product_key) as entry
      join products on products.company_id = ${companyId} and products.id = entry.product_key ${mirrorJoin}
      ${whatAppears(themeId, now)}
      where ${appears} and not exists (select from category_entries as earlier
        where earlier.company_id = ${companyId} and earlier.product_key = entry.product_key
          and (earlier.position, earlier.product_key) <= (${position}::bigint, ${key}::bigint)
          and earlier.category_id in (select tree.id from tree))
      order by entry.position, entry.product_key limit ${sql.lit(limit)}`.compile(db),
  )

type CategoryRequest = ListRequest & { id: number; after: Place }

/** Reads the first products after a place that appear in the shop. */
function readerOf(limit: number): (db: Db, request: CategoryRequest) => Promise<CardRow[]> {
  const statements = WINDOWS.map((window) => ({ window, read: categoryCardsIn(window, limit) }))
  return async (db, { companyId, themeId, now, id, after }) => {
    for (const { window, read } of statements) {
      const rows = await read(db, companyId, themeId, id, now, after.position, after.key)
      const [first] = rows
      // Without a row it is not known how many were looked at.
      const isAll = first !== undefined && first.candidates < window
      if (isAll || rows.length === limit) return rows
    }
    return []
  }
}

/** One page of the products of a category and of those below it, in the order of the shop owner, and one more. */
export const readCategoryCards = readerOf(PAGE_SIZE + 1)

const readFirstCards = readerOf(RELATED_MAX + 1)

/** The first products of a category other than this one. */
export async function readNeighbours(
  db: Db,
  { id, ...request }: ListRequest & { id: number; other: number },
): Promise<CardRow[]> {
  const rows = await readFirstCards(db, { ...request, id, after: START })
  return rows.filter((row) => row.id !== request.other).slice(0, RELATED_MAX)
}
