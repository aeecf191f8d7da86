import { sql } from 'kysely'
import type { Value } from '#catalog/products/lists/appearance.queries.ts'
import { queryFor } from '#catalog/products/search/terms.rules.ts'
import type { Db } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import { PAGE_SIZE, readFoundCards } from './queries.ts'
import type { CardRow } from './state.ts'

/**
 * How many of the newest products a search looks through by itself. Common words are found there at once; rare ones are found
 * in the index, which would return the products of a common word one and all. PostgreSQL does not know which word is common
 * when it plans the statement: its own choice took 700 ms with 100,000 products.
 */
const LOOKED_THROUGH = 1500
/**
 * How many products a search looks for in one round: a page, and some that do not appear in the shop. If those are many, it
 * goes on and looks for more at a time.
 */
const FIRST_ROUND = PAGE_SIZE + 10
const LATER_ROUNDS = 10 * FIRST_ROUND
const ROUNDS_MAX = 5

/** Products with these words in a title are found first, then those that have them in a description. */
const SEARCHED = {
  titles: sql`entry.title_words @@ query.words`,
  texts: sql`(entry.text_words @@ query.words and not entry.title_words @@ query.words)`,
}

export type SearchPart = keyof typeof SEARCHED

/** Where a page of results begins: in which part, and before which product. */
export type SearchPlace = { part: SearchPart; before: number }

export const SEARCH_START: SearchPlace = { part: 'titles', before: Number.MAX_SAFE_INTEGER }

/** Looks through the newest products before an id, until it has found enough. */
const newestIn = (part: SearchPart, companyId: Value<number>, before: Value<number>, max: number) =>
  sql`select seen.product_key from (
      select entry.product_key, entry.is_shown and ${SEARCHED[part]} as is_found
      from product_words as entry cross join query
      where entry.company_id = ${companyId} and entry.product_key < ${before}::bigint
      order by entry.product_key desc limit ${sql.lit(LOOKED_THROUGH)}) as seen
    where seen.is_found order by seen.product_key desc limit ${sql.lit(max)}`

/** The last of the products that newestIn looks through; null if it looks through all. */
const edgeOf = (companyId: Value<number>, before: Value<number>) => sql`(select entry.product_key
  from product_words as entry where entry.company_id = ${companyId} and entry.product_key < ${before}::bigint
  order by entry.product_key desc offset ${sql.lit(LOOKED_THROUGH - 1)} limit 1)`

/**
 * Reads an index once at most. Words that are rare in texts are rare in titles too, which are part of the texts, so the index
 * of texts finds both. The sum keeps PostgreSQL from reading the index of all products instead.
 */
const candidatesIn = (max: number) =>
  prepare((db: Db, companyId: number, query: string, beforeTitle: number, beforeText: number) => {
    const areTitlesFew = sql`(select count(*) from newest_titles) < ${sql.lit(max)}`
    const areTextsFew = sql`(select count(*) from newest_texts) < ${sql.lit(max)}`
    const older = sql`from product_words as entry cross join query
      where ${companyId} = entry.company_id + 0 and entry.is_shown and ${areTitlesFew}`
    return sql<{ part: SearchPart; id: number }>`with query as materialized (
        select ${query}::text::tsquery as words),
      edges as materialized (select ${edgeOf(sql`${companyId}`, sql`${beforeTitle}`)} as of_titles,
        ${edgeOf(sql`${companyId}`, sql`${beforeText}`)} as of_texts),
      newest_titles as materialized (${newestIn('titles', sql`${companyId}`, sql`${beforeTitle}`, max)}),
      newest_texts as materialized (select newest.product_key
        from (${newestIn('texts', sql`${companyId}`, sql`${beforeText}`, max)}) as newest
        where ${areTitlesFew}),
      older as materialized (select entry.product_key, ${SEARCHED.titles} as is_title ${older}
        and ${areTextsFew} and entry.text_words @@ query.words),
      older_titles as materialized (select entry.product_key ${older}
        and not ${areTextsFew} and entry.title_words @@ query.words)
      select found.part, found.product_key as id from (
        select 'titles' as part, product_key from newest_titles
        union all select 'titles', product_key from older_titles cross join edges where product_key < of_titles
        union all select 'titles', product_key from older cross join edges where is_title and product_key < of_titles
        union all select 'texts', product_key from newest_texts
        union all select 'texts', product_key from older cross join edges where not is_title and product_key < of_texts
      ) as found order by found.part desc, found.product_key desc limit ${sql.lit(max)}`.compile(db)
  })

const candidates = { first: candidatesIn(FIRST_ROUND), later: candidatesIn(LATER_ROUNDS) }

/**
 * One page of the products with these words, and one more: first those with the words in a title in any language, then
 * those with the words in a description, the newest first.
 */
export async function searchCards(
  db: Db,
  { companyId, themeId, words, place }: { companyId: number; themeId: number; words: string; place: SearchPlace },
  now: Date,
): Promise<CardRow[]> {
  const found: CardRow[] = []
  const query = queryFor(companyId, words)
  if (query === undefined) return found
  let next: SearchPlace | undefined = place
  for (let round = 0; round < ROUNDS_MAX && next !== undefined && found.length <= PAGE_SIZE; round += 1) {
    // No product has an id below 1, so nothing more is searched in titles.
    const [title, text]: [number, number] =
      next.part === 'titles' ? [next.before, SEARCH_START.before] : [0, next.before]
    const max = round === 0 ? FIRST_ROUND : LATER_ROUNDS
    const rows = await (round === 0 ? candidates.first : candidates.later)(db, companyId, query, title, text)
    const partOf = new Map(rows.map(({ id, part }) => [id, part]))
    const cards = await readFoundCards(db, { companyId, themeId, ids: [...partOf.keys()] }, now)
    found.push(...cards.map((card) => ({ ...card, place: `${partOf.get(card.id)}-${card.id}` })))
    const last = rows.at(-1)
    // Products that do not appear in the shop are left out, so there may be more.
    next = rows.length < max || last === undefined ? undefined : { part: last.part, before: last.id }
  }
  return found.slice(0, PAGE_SIZE + 1)
}
