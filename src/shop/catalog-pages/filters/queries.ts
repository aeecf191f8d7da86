import { sql } from 'kysely'
import { appearsIn, type Value } from '#catalog/products/lists/appearance.queries.ts'
import { FACET_MARKS } from '#catalog/products/search/facets.rules.ts'
import { queryForMarks } from '#catalog/products/search/terms.rules.ts'
import type { Db } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import { appears, DEPTH_MAX, type ListRequest, PAGE_SIZE, readFoundCards } from '../queries.ts'
import type { CardRow } from '../state.ts'
import { compareBy, type FacetRow, marksFor, passes, type Wanted } from './rules.ts'

/** Lists with more products are not counted, and are filtered by the index. */
export const COUNTED_MAX = 500
/** So many products of a list that is not counted say what it can be filtered by. */
const SAMPLE = 200
/** How many products in the order of a list are looked at, before the index is asked for all that match. */
const LOOKED_THROUGH = 20_000
const ROUND = 2 * PAGE_SIZE
const ROUNDS_MAX = 5

const facetColumns = sql`words.product_key as id, words.kind, words.year, words.price_cents, words.sort_title,
  words.genres, words.genre_names, words.languages, words.formats`

/**
 * A list that is counted has only what appears in the shop. Of one that is not, some products say what it can be filtered by,
 * and to look at each of them closely would take most of the time of the page.
 */
const whatIsCounted = (themeId: Value<number>, now: Value<Date>) =>
  sql`cross join lateral (select case when counted.candidates > ${sql.lit(COUNTED_MAX)} then true
    else ${appearsIn(themeId, now)} end as is_shown offset 0) as appearance`

const facetsInCategory = prepare((db: Db, companyId: number, themeId: number, id: number, now: Date) =>
  sql<FacetRow & { candidates: number }>`with recursive tree as (
      select ${id}::bigint as id, 1 as depth
      union all
      select child.id, tree.depth + 1 from tree
      join categories as child on child.company_id = ${companyId} and child.parent_id = tree.id and child.enabled
      where tree.depth < ${sql.lit(DEPTH_MAX)}
    ), entries as materialized (
      select entry.product_key, min(entry.position) as position from tree cross join lateral (
        select entry.position, entry.product_key from category_entries as entry
        where entry.company_id = ${companyId} and entry.category_id = tree.id
        order by entry.position, entry.product_key limit ${sql.lit(COUNTED_MAX + 1)}) as entry
      group by entry.product_key
      order by min(entry.position), entry.product_key limit ${sql.lit(COUNTED_MAX + 1)})
    select ${facetColumns}, entries.position as place, counted.candidates
    from (select count(*)::int as candidates from entries) as counted
    cross join lateral (select * from entries
      limit case when counted.candidates > ${sql.lit(COUNTED_MAX)} then ${sql.lit(SAMPLE)} end) as entries
    join product_words as words on words.company_id = ${companyId} and words.product_key = entries.product_key and words.is_shown
    join products on products.company_id = ${companyId} and products.id = entries.product_key
    ${whatIsCounted(themeId, now)} where ${appears}`.compile(db),
)

const treeOf = prepare((db: Db, companyId: number, id: number) =>
  sql<Columns<'categories', 'id'>>`with recursive tree as (
      select ${id}::bigint as id, 1 as depth
      union all
      select child.id, tree.depth + 1 from tree
      join categories as child on child.company_id = ${companyId} and child.parent_id = tree.id and child.enabled
      where tree.depth < ${sql.lit(DEPTH_MAX)})
    select distinct id from tree`.compile(db),
)

/** The sum keeps PostgreSQL from reading the index of all products instead. */
const facetsByMarks = prepare(
  (db: Db, companyId: number, themeId: number, query: string, from: number, to: number, anyPrice: string, now: Date) =>
    sql<FacetRow & { candidates: number }>`with query as materialized (select ${query}::text::tsquery as words),
      found as materialized (
        select words.* from product_words as words cross join query
        where ${companyId} = words.company_id + 0 and words.is_shown and words.text_words @@ query.words
          and (${anyPrice}::boolean or words.price_cents between ${from}::bigint and ${to}::bigint)
        limit ${sql.lit(COUNTED_MAX + 1)})
      select ${facetColumns}, case when words.title_words @@ query.words then 0 else 1 end as place, counted.candidates
      from (select count(*)::int as candidates from found) as counted
      cross join lateral (select * from found
        limit case when counted.candidates > ${sql.lit(COUNTED_MAX)} then ${sql.lit(SAMPLE)} end) as words
      cross join query
      join products on products.company_id = ${companyId} and products.id = words.product_key
      ${whatIsCounted(themeId, now)} where ${appears}`.compile(db),
)

/**
 * The orders of the index that a list is read in, and what comes before everything. A list that nobody sorted shows the newest
 * products first.
 */
const LAST = sql.lit(Number.MAX_SAFE_INTEGER)
const ORDERS = {
  newest: { key: sql`words.product_key`, start: sql`${LAST}`, later: sql`<`, direction: sql`desc` },
  price: { key: sql`words.price_cents`, start: sql`-1`, later: sql`>`, direction: sql`asc` },
  'price-desc': { key: sql`words.price_cents`, start: sql`${LAST}`, later: sql`<`, direction: sql`desc` },
  title: { key: sql`words.sort_title`, start: sql`''`, later: sql`>`, direction: sql`asc` },
} as const

/**
 * Finds the next products in an order, after one of them. It looks through the list itself until it has found enough, or, if it is
 * `wide`, sorts all that the index finds.
 */
const nextIn = (sort: keyof typeof ORDERS, isWide: boolean) =>
  prepare((db: Db, companyId: number, query: string, from: number, to: number, anyPrice: string, after: number) => {
    const { key, start, later, direction } = ORDERS[sort]
    const place = sql`select ${key} as key, words.product_key from product_words as words
      where words.company_id = ${companyId} and words.product_key = ${after}`
    const isLater = sql`(${key}, words.product_key) ${later} (coalesce((select key from place), ${start}),
      coalesce((select product_key from place), ${sort === 'price' || sort === 'title' ? sql`0` : LAST}))`
    const isFound = sql`(words.is_shown and words.text_words @@ query.words
      and (${anyPrice}::boolean or words.price_cents between ${from}::bigint and ${to}::bigint))`
    const order = sql`order by ${key} ${direction}, words.product_key ${direction}`
    const found = isWide
      ? sql`select words.product_key from product_words as words cross join query
          where ${companyId} = words.company_id + 0 and ${isFound} and ${isLater} ${order}`
      : sql`select seen.product_key from (
          select words.product_key, ${isFound} as is_found from product_words as words cross join query
          where words.company_id = ${companyId} and ${isLater} ${order} limit ${sql.lit(LOOKED_THROUGH)}) as seen
        where seen.is_found`
    return sql<
      Columns<'product_words', 'product_key'>
    >`with query as materialized (select ${query}::text::tsquery as words),
      place as materialized (${place}) ${found} limit ${sql.lit(ROUND)}`.compile(db)
  })

const bothWays = (sort: keyof typeof ORDERS) => ({ near: nextIn(sort, false), wide: nextIn(sort, true) })

const NEXT = {
  newest: bothWays('newest'),
  price: bothWays('price'),
  'price-desc': bothWays('price-desc'),
  title: bothWays('title'),
}

/** The products of a list as far as filters look at them. `isAll`: false if there are more than are counted. */
export type FacetList = { rows: FacetRow[]; isAll: boolean }

/** What can be filtered in a category and in those below it. */
export async function readFacets(
  db: Db,
  { companyId, themeId, id, now }: ListRequest & { id: number },
): Promise<FacetList> {
  const rows = await facetsInCategory(db, companyId, themeId, id, now)
  return { rows, isAll: (rows[0]?.candidates ?? 0) <= COUNTED_MAX }
}

/** The cards of one page, and one more; and how many products there are, undefined if they are not counted. */
export type FilteredCards = { cards: CardRow[]; count: number | undefined }

type FilteredRequest = ListRequest & {
  /** The category, or what is searched for. */
  within: { id: number } | { words: string }
  wanted: Wanted
  /** The last product of the page before; 0 on the first. */
  after: number
  /** What is known of the list already. */
  known?: FacetList
}

/**
 * One page of the products that pass filters. A list that was counted is filtered here. Otherwise the index finds those with
 * all marks; if they are many, the list is walked through in its order, which finds many of them soon.
 */
export async function readFilteredCards(db: Db, request: FilteredRequest): Promise<FilteredCards> {
  const { companyId, within, wanted, known } = request
  if (known?.isAll) return pageOfRows(db, request, known.rows)
  const marks = marksFor(wanted)
  if (marks === undefined) return { cards: [], count: 0 }
  const words = 'words' in within ? within.words : ''
  const tree = 'words' in within ? [] : await treeOf(db, companyId, within.id)
  const inTree = tree.length === 0 ? [] : [tree.map((category) => FACET_MARKS.category(category.id))]
  const query = queryForMarks(companyId, [...inTree, ...marks], words)
  const found = await findByMarks(db, request, query)
  return (found[0]?.candidates ?? 0) <= COUNTED_MAX ? pageOfRows(db, request, found) : walk(db, request, query)
}

function boundsOf({ cents_from, cents_to }: Wanted) {
  const isAny = cents_from === undefined && cents_to === undefined
  return [cents_from ?? 0, cents_to ?? Number.MAX_SAFE_INTEGER, String(isAny)] as const
}

function findByMarks(db: Db, { companyId, themeId, wanted, now }: FilteredRequest, query: string) {
  return facetsByMarks(db, companyId, themeId, query, ...boundsOf(wanted), now)
}

async function pageOfRows(db: Db, request: FilteredRequest, rows: readonly FacetRow[]): Promise<FilteredCards> {
  const { companyId, themeId, wanted, after, now } = request
  const sorted = rows.filter((row) => passes(row, wanted)).toSorted(compareBy(wanted.sort))
  const ids = sorted.map(({ id }) => id)
  const next = ids.slice(ids.indexOf(after) + 1).slice(0, PAGE_SIZE + 1)
  const cards = next.length === 0 ? [] : await readFoundCards(db, { companyId, themeId, ids: next }, now)
  return { cards: cards.map(placed), count: ids.length }
}

const placed = (card: CardRow): CardRow => ({ ...card, place: String(card.id) })

async function walk(db: Db, request: FilteredRequest, query: string): Promise<FilteredCards> {
  const { companyId, themeId, wanted, now } = request
  const { near, wide } = NEXT[wanted.sort === '' ? 'newest' : wanted.sort]
  const cards: CardRow[] = []
  let { after } = request
  for (let round = 0; round < ROUNDS_MAX && cards.length <= PAGE_SIZE; round += 1) {
    const bounds = boundsOf(wanted)
    const close = await near(db, companyId, query, ...bounds, after)
    const rows = close.length === ROUND ? close : await wide(db, companyId, query, ...bounds, after)
    const ids = rows.map(({ product_key }) => product_key)
    if (ids.length > 0) cards.push(...(await readFoundCards(db, { companyId, themeId, ids }, now)).map(placed))
    after = ids.at(-1) ?? after
    if (ids.length < ROUND) break
  }
  return { cards: cards.slice(0, PAGE_SIZE + 1), count: undefined }
}
