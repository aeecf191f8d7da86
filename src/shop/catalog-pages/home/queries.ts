import { type RawBuilder, sql } from 'kysely'
import type { Value } from '#catalog/products/lists/appearance.queries.ts'
import type { Shop } from '#catalog/theme-settings/state.ts'
import type { Db } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import { WINDOWS } from '../lists.queries.ts'
import {
  appears,
  cardColumns,
  DEPTH_MAX,
  type ListRequest,
  links,
  mirrorJoin,
  readListedCards,
  whatAppears,
} from '../queries.ts'
import type { CardRow, CategoryLink, ShelfRow } from '../state.ts'
import { SHELF_COUNT_MAX, visibleSections } from './rules.ts'
import type { HomeRows } from './state.ts'

const NEWEST_MAX = 11
const SHELVES_MAX = 8
const SHELF_SIZE = 5

const newest = prepare((db: Db, companyId: number, themeId: number, now: Date) =>
  sql<CardRow>`select ${cardColumns(now)}, products.id::text as place
    from (select candidate.id from products as candidate where candidate.company_id = ${companyId}
      order by candidate.id desc) as candidate
    join products on products.company_id = ${companyId} and products.id = candidate.id
    ${mirrorJoin} ${whatAppears(themeId, now)}
    where ${appears} order by candidate.id desc limit ${sql.lit(NEWEST_MAX)}`.compile(db),
)

/** The products that were added last. */
function readNewest(db: Db, { companyId, themeId, now }: ListRequest): Promise<CardRow[]> {
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
const shelvesIn = (window: number, roots: (companyId: Value<number>) => RawBuilder<unknown>) =>
  prepare((db: Db, companyId: number, themeId: number, now: Date, categoryIds: number[]) =>
    sql<FoundShelf>`with recursive wanted as (select unnest(${categoryIds}::bigint[]) as id), tree as (
        (${roots(companyId)})
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
const shelvesOf = (roots: (companyId: Value<number>) => RawBuilder<unknown>) =>
  [SHELF_WINDOW, ...WINDOWS].map((window) => ({ window, read: shelvesIn(window, roots) }))

const topShelves = shelvesOf(
  (companyId) => sql`select category.id as root, category.id, 1 as depth from categories as category
    where category.company_id = ${companyId} and category.parent_id is null and category.enabled
    order by category.position, category.id limit ${sql.lit(SHELVES_MAX)}`,
)

const chosenShelves = shelvesOf(
  (companyId) => sql`select category.id as root, category.id, 1 as depth from wanted
    join categories as category on category.company_id = ${companyId} and category.id = wanted.id and category.enabled`,
)

/** The first products of the given categories, or of each category at the top. */
async function readShelves(
  db: Db,
  { companyId, themeId, now }: ListRequest,
  categoryIds: number[] | undefined,
): Promise<ShelfRow[]> {
  for (const { window, read } of categoryIds === undefined ? topShelves : chosenShelves) {
    const rows = await read(db, companyId, themeId, now, categoryIds ?? [])
    const isShort = [...Map.groupBy(rows, ({ category }) => category.id).values()].some(
      (shelf) => shelf.length < SHELF_SIZE && (shelf[0]?.candidates ?? 0) >= window,
    )
    if (!isShort) return rows.filter((row): row is FoundShelf & CardRow => row.id !== null)
  }
  return []
}

/** Everything that the home page of a shop shows: what its owner has arranged, or else what is new and the categories. */
export async function readHome(
  db: Db,
  { home_sections }: Pick<Shop, 'home_sections'>,
  list: ListRequest,
): Promise<HomeRows> {
  const sections = visibleSections(home_sections)
  const categoryIds = sections?.flatMap(({ category_id }) => category_id ?? [])
  const ids = [...new Set(sections?.flatMap(({ product_ids }) => product_ids))]
  const showsNewest = sections?.some(({ kind }) => kind === 'hero' || kind === 'newest') ?? true
  const [newest, shelves, chosen] = await Promise.all([
    showsNewest ? readNewest(db, list) : [],
    categoryIds?.length === 0 ? [] : readShelves(db, list, categoryIds),
    ids.length === 0 ? [] : readListedCards(db, { ...list, ids }, list.now),
  ])
  return { sections, newest, shelves, chosen }
}
