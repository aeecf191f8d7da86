import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { Value } from '#products/appearance.ts'
import { PAGE_SIZE, readFoundCards } from './queries.ts'
import type { CardRow } from './state.ts'

/**
 * How many of the newest products a search looks through by itself, and how many it has to find there. Common words are
 * found at once; rare ones are found in the index, which would return the products of a common word one and all. PostgreSQL
 * does not know which word is common when it plans the statement: its own choice took 700 ms with 100,000 products.
 */
const LOOKED_THROUGH = 1500
const CANDIDATES_MAX = 100
/** So often a search goes on if what it has found does not appear in the shop. */
const ROUNDS_MAX = 10

/** Leaves out most of what does not appear in a shop. The rest is left out later, by the one rule for that. */
const isShown = sql`candidate.published and candidate.valid`

/** Products with these words in a title are found first, then those that have them in a description. */
const SEARCHED = {
  titles: sql`candidate.title_words @@ query.words`,
  texts: sql`(candidate.text_words @@ query.words and not candidate.title_words @@ query.words)`,
}

export type SearchPart = keyof typeof SEARCHED

/** Where a page of results begins: in which part, and before which product. */
export type SearchPlace = { part: SearchPart; before: number }

export const SEARCH_START: SearchPlace = { part: 'titles', before: Number.MAX_SAFE_INTEGER }

/** The words of a search within one company. The last word may be a part of one. */
const wanted = (
  companyId: Value<number>,
  words: Value<string>,
) => sql`(quote_literal('@' || ${companyId}::bigint)::tsquery
  && (nullif(plainto_tsquery('simple', ${words}::text)::text, '') || ':*')::tsquery)`

/**
 * The two steps of a search in one part. The first one ends as soon as it has found enough. The sums keep PostgreSQL from
 * reading the index of all products beside.
 */
const stepsIn = (part: SearchPart, companyId: Value<number>, before: Value<number>, isNeeded: RawBuilder<unknown>) => {
  const [newest, indexed] = [sql.ref(`newest_${part}`), sql.ref(`indexed_${part}`)]
  const lastLookedThrough = sql`(select edge.id from products as edge
    where edge.company_id = ${companyId} and edge.id < ${before}::bigint
    order by edge.id desc offset ${sql.lit(LOOKED_THROUGH - 1)} limit 1)`
  return sql`${newest} as materialized (select seen.id from (
        select candidate.id, ${isShown} and ${SEARCHED[part]} as is_found from products as candidate cross join query
        where ${isNeeded} and candidate.company_id = ${companyId} and candidate.id < ${before}::bigint
        order by candidate.id desc limit ${sql.lit(LOOKED_THROUGH)}) as seen
      where seen.is_found order by seen.id desc limit ${sql.lit(CANDIDATES_MAX)}),
    ${indexed} as materialized (select candidate.id from products as candidate cross join query
      where ${isNeeded} and (select count(*) from ${newest}) < ${sql.lit(CANDIDATES_MAX)}
        and ${isShown} and ${SEARCHED[part]} and candidate.company_id + 0 = ${companyId}
        and candidate.id + 0 < ${lastLookedThrough}),
    ${sql.ref(part)} as materialized (select found.id from (
        select seen.id from ${newest} as seen union all select older.id from ${indexed} as older) as found
      order by found.id desc limit ${sql.lit(CANDIDATES_MAX)})`
}

const candidates = prepare((db: Db, companyId: number, words: string, beforeTitle: number, beforeText: number) =>
  sql<{ part: SearchPart; id: number }>`with query as materialized (
      select ${wanted(sql`${companyId}`, sql`${words}`)} as words),
    ${stepsIn('titles', sql`${companyId}`, sql`${beforeTitle}`, sql`${beforeTitle}::bigint > 0`)},
    ${stepsIn(
      'texts',
      sql`${companyId}`,
      sql`${beforeText}`,
      sql`(select count(*) from titles) < ${sql.lit(CANDIDATES_MAX)}`,
    )}
    select found.part, found.id from (select 'titles' as part, titles.id from titles
      union all select 'texts', texts.id from texts) as found
    order by found.part desc, found.id desc limit ${sql.lit(CANDIDATES_MAX)}`.compile(db),
)

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
  let next: SearchPlace | undefined = place
  for (let round = 0; round < ROUNDS_MAX && next !== undefined && found.length <= PAGE_SIZE; round += 1) {
    // No product has an id below 1, so nothing more is searched in titles.
    const [title, text]: [number, number] =
      next.part === 'titles' ? [next.before, SEARCH_START.before] : [0, next.before]
    const rows = await candidates(db, companyId, words, title, text)
    const partOf = new Map(rows.map(({ id, part }) => [id, part]))
    const cards = await readFoundCards(db, { companyId, themeId, ids: [...partOf.keys()] }, now)
    found.push(...cards.map((card) => ({ ...card, place: `${partOf.get(card.id)}-${card.id}` })))
    const last = rows.at(-1)
    // Products that do not appear in the shop are left out, so there may be more.
    next = rows.length < CANDIDATES_MAX || last === undefined ? undefined : { part: last.part, before: last.id }
  }
  return found.slice(0, PAGE_SIZE + 1)
}
