import { sql } from 'kysely'
import { FACET_MARKS, facetsOf, peopleOf } from '#catalog/products/search/facets.rules.ts'
import { queryForMarks } from '#catalog/products/search/terms.rules.ts'
import type { Db } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import { RELATED_MAX } from './lists.queries.ts'
import { appears, cardColumns, type ListRequest, mirrorJoin, whatAppears } from './queries.ts'
import type { CardRow, ProductRow } from './state.ts'

/** How many of the newest products are looked through for the same genre, which many have. */
const LOOKED_THROUGH = 1000
const CANDIDATES_MAX = 30

/** Works of one person are few, so that the index finds them. The sum keeps PostgreSQL from reading the index of all products. */
const similar = prepare(
  (db: Db, companyId: number, themeId: number, key: number, people: string, genres: string, now: Date) =>
    sql<CardRow>`with asked as materialized (select ${people}::text::tsquery as people, ${genres}::text::tsquery as genres),
    by_people as materialized (select words.product_key from product_words as words cross join asked
      where ${companyId} = words.company_id + 0 and words.is_shown and words.title_words @@ asked.people
        and words.product_key <> ${key} limit ${sql.lit(CANDIDATES_MAX)}),
    by_genre as materialized (select seen.product_key from (
        select words.product_key, words.is_shown and words.title_words @@ asked.genres as is_found
        from product_words as words cross join asked where words.company_id = ${companyId}
        order by words.product_key desc limit ${sql.lit(LOOKED_THROUGH)}) as seen
      where seen.is_found and seen.product_key <> ${key} limit ${sql.lit(CANDIDATES_MAX)})
    select ${cardColumns(now)}, '' as place
    from (select found.product_key, min(found.rank) as rank from (
        select product_key, 0 as rank from by_people union all select product_key, 1 from by_genre) as found
      group by found.product_key order by min(found.rank), found.product_key desc) as candidate
    join products on products.company_id = ${companyId} and products.id = candidate.product_key
    ${mirrorJoin} ${whatAppears(themeId, now)}
    where ${appears} order by candidate.rank, candidate.product_key desc limit ${sql.lit(RELATED_MAX)}`.compile(db),
)

/** Finds nothing, as no product has it. */
const NOBODY = ['@']

/** Other works of the same people, then products of the same kind and genre, the newest first. */
export function readSimilar(
  db: Db,
  { companyId, themeId, now, row }: ListRequest & { row: ProductRow },
): Promise<CardRow[]> {
  const { kind, genres } = facetsOf({ ...row, files: [] })
  const people = peopleOf(row.tagging).map(FACET_MARKS.person)
  const alike = genres.length === 0 ? [NOBODY] : [[FACET_MARKS.kind(kind)], genres.map(FACET_MARKS.genre)]
  const byPeople = queryForMarks(companyId, [people.length === 0 ? NOBODY : people])
  return similar(db, companyId, themeId, row.id, byPeople, queryForMarks(companyId, alike), now)
}
