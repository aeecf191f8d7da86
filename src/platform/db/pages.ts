import { type ReferenceExpression, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import type { DB } from './types.gen.ts'

/** A filtered select of stored documents, to which paging is added. */
// biome-ignore lint/suspicious/noExplicitAny: the tables joined in differ by resource; only the two columns matter here.
export type DocumentRows = SelectQueryBuilder<DB, any, { id: number; document: string }>

export type Page = {
  /** The documents, joined by commas. */
  documents: string
  lastId: number
  more: boolean
}

export type PageRequest = { after: number; limit: number; offset: number }

/**
 * Reads one page of documents as one text, joined by PostgreSQL: one row a page costs Node a tenth of fifty rows.
 * Rows come in the order of their id, so that a page is found by key and costs the same wherever it lies.
 */
export async function readPage(db: Db, rows: DocumentRows, { after, limit, offset }: PageRequest): Promise<Page> {
  const id = 'id' as ReferenceExpression<DB, keyof DB>
  let page = rows
    .where(id as never, '>', after as never)
    .orderBy(id as never)
    .limit(limit + 1)
  if (offset > 0) page = page.offset(offset)
  const { rows: found } = await sql<{ documents: string | null; last_id: number | null; found: number }>`
    select string_agg(document, ',' order by id) filter (where nth <= ${limit}::int) as documents,
      max(id) filter (where nth <= ${limit}::int) as last_id, count(*) as found
    from (select id, document, row_number() over (order by id) as nth from (${page}) as matches) as numbered`.execute(
    db,
  )
  const answer = found[0]!
  return { documents: answer.documents ?? '', lastId: answer.last_id ?? after, more: answer.found > limit }
}
