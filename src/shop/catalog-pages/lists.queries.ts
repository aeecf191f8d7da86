import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import {
  appears,
  cardColumns,
  DEPTH_MAX,
  type ListRequest,
  links,
  mirrorJoin,
  PAGE_SIZE,
  whatAppears,
} from './queries.ts'
import type { CardRow, CategoryLink, ShelfRow } from './state.ts'

const NEWEST_MAX = 11
const SHELVES_MAX = 8
const SHELF_SIZE = 5
/** The products of a category with more are not counted on the home page. */
export const SHELF_COUNT_MAX = 100
export const RELATED_MAX = 5

/**
 * The entries of a list that are looked at, until enough of them appear in the shop. Most lists need no more than the
 * first. The numbers are part of the statements: PostgreSQL plans a statement with a limit that it does not know for each
 * execution, which takes longer than the statement itself.
 */
const WINDOWS = [64, 1000, 1_000_000] as const

const newest = prepare((db: Db, companyId: number, themeId: number, now: Date) =>
  sql<CardRow>`select ${cardColumns(now)}, products.id::text as place
    from (select candidate.id from products as candidate where candidate.company_id = ${companyId}
      order by candidate.id desc) as candidate
    join products on products.company_id = ${companyId} and products.id = candidate.id
    ${mirrorJoin} ${whatAppears(themeId, now)}
    where ${appears} order by candidate.id desc limit ${sql.lit(NEWEST_MAX)}`.compile(db),
)

/** The products that were added last. */
export function readNewest(db: Db, { companyId, themeId, now }: ListRequest): Promise<CardRow[]> {
  return newest(db, companyId, themeId, now)
}

type FoundShelf = { category: CategoryLink; candidates: number; count: number } & (
  | CardRow
  | { [Name in keyof CardRow]: null }
)

/**
 * Shelves and lists show what is in subcategories too. With the offset, what is said of a category is worked out once, and
 * not for each of its products.
 */
const shelvesIn = (window: number) =>
  prepare((db: Db, companyId: number, themeId: number, now: Date) =>
    sql<FoundShelf>`with recursive tree as (
        (select category.id as root, category.id, 1 as depth from categories as category
          where category.company_id = ${companyId} and category.parent_id is null and category.enabled
          order by category.position, category.id limit ${sql.lit(SHELVES_MAX)})
        union all
        select tree.root, child.id, tree.depth + 1 from tree
        join categories as child on child.company_id = ${companyId} and child.parent_id = tree.id and child.enabled
        where tree.depth < ${sql.lit(DEPTH_MAX)}
      ), entries as materialized (
        select tree.root, entry.product_key, min(entry.position) as position,
          row_number() over (partition by tree.root order by min(entry.position), entry.product_key) as place
        from tree cross join lateral (
          select entry.product_key, entry.position from category_entries as entry
          where entry.company_id = ${companyId} and entry.category_id = tree.id
          order by entry.position, entry.product_key limit ${sql.lit(window)}) as entry
        group by tree.root, entry.product_key)
      select roots.category, roots.candidates, roots.count, shelf.*
      from (
        select tree.root, category.position, ${links} as category,
          (select count(*)::int from entries where entries.root = tree.root) as candidates,
          (select case when counted.total > ${sql.lit(SHELF_COUNT_MAX)} then counted.total
              else (select count(*)::int from unnest(counted.keys) as entry (product_key)
                join products on products.company_id = ${companyId} and products.id = entry.product_key
                ${whatAppears(themeId, now)} where ${appears}) end
            from (select count(*)::int as total, array_agg(entry.product_key) as keys from (
              select distinct entry.product_key from tree as below cross join lateral (
                select entry.product_key from category_entries as entry
                where entry.company_id = ${companyId} and entry.category_id = below.id
                limit ${sql.lit(SHELF_COUNT_MAX + 1)}) as entry
              where below.root = tree.root limit ${sql.lit(SHELF_COUNT_MAX + 1)}) as entry) as counted) as count
        from tree
        join categories as category on category.company_id = ${companyId} and category.id = tree.root
        where tree.depth = 1 offset 0) as roots
      left join lateral (
        select ${cardColumns(now)}, '' as place
        from (select entries.product_key, entries.place from entries
          where entries.root = roots.root and entries.place <= ${sql.lit(window)} order by entries.place) as entry
        join products on products.company_id = ${companyId} and products.id = entry.product_key ${mirrorJoin}
        ${whatAppears(themeId, now)}
        where ${appears}
        order by entry.place limit ${sql.lit(SHELF_SIZE)}) as shelf on true
      order by roots.position, roots.root`.compile(db),
  )

/** A shelf shows few products, and most of the first ones appear. */
const SHELF_WINDOW = 16
const shelves = [SHELF_WINDOW, ...WINDOWS].map((window) => ({ window, read: shelvesIn(window) }))

/** The first products of each category at the top. */
export async function readShelves(db: Db, { companyId, themeId, now }: ListRequest): Promise<ShelfRow[]> {
  for (const { window, read } of shelves) {
    const rows = await read(db, companyId, themeId, now)
    const isShort = [...Map.groupBy(rows, ({ category }) => category.id).values()].some(
      (shelf) => shelf.length < SHELF_SIZE && (shelf[0]?.candidates ?? 0) >= window,
    )
    if (!isShort) return rows.filter((row): row is FoundShelf & CardRow => row.id !== null)
  }
  return []
}

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
