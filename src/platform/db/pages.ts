import type { SelectQueryBuilder } from 'kysely'
import type { Db } from './database.ts'
import { runPrepared } from './prepared.ts'
import type { DB } from './types.gen.ts'

/** A select to which paging is added. */
// biome-ignore lint/suspicious/noExplicitAny: the tables joined in differ by resource; only the columns matter here.
type Rows<Row> = SelectQueryBuilder<DB, any, Row>

/** A list as its filters make it: the name says which filters there are, the values what they ask for. */
export type RowList<Row extends { id: number }> = {
  name: string
  values: readonly unknown[]
  /** Builds the select; each value is a stand-in that is passed on as it is. Two selects are merged by id. */
  rows: (...values: never[]) => Rows<Row> | [Rows<Row>, Rows<Row>]
}

/** A list of stored documents. */
export type DocumentList = RowList<{ id: number; document: string }>

export type Page = {
  documents: string[]
  lastId: number
  more: boolean
}

export type PageRequest = { after: number; limit: number; offset: number }

/**
 * Reads one page of documents. Rows come in the order of their id, so that a page is found by key and costs the same
 * wherever it lies; one row more than asked for tells whether there is another page.
 */
export async function readPage<Row extends { id: number }>(
  db: Db,
  list: RowList<Row>,
  documentOf: (row: Row) => string,
  { after, limit, offset }: PageRequest,
): Promise<Page> {
  const byNumber = offset > 0
  const name = `${list.name} ${byNumber ? 'page by number' : 'page by key'}`
  const values = [after, limit + 1, offset, limit + 1 + offset, ...list.values]
  const rows = await runPrepared(db, name, values, (after, oneMore, offset, behind, ...filters) => {
    const selects = list.rows(...filters)
    const from = (rows: Rows<Row>) => rows.where('id', '>', after).orderBy('id')
    // A page needs no more of either select than it has rows; what it needs of both is little to sort.
    const page = Array.isArray(selects)
      ? merge(db, from(selects[0]).limit(behind), from(selects[1]).limit(behind)).orderBy('id').limit(oneMore)
      : from(selects).limit(oneMore)
    return (byNumber ? page.offset(offset) : page).compile()
  })
  const more = rows.length > limit
  if (more) rows.pop()
  const page = { documents: rows.map(documentOf), lastId: rows.at(-1)?.id ?? after, more }
  // Promises that are settled and old keep what they were settled with until a full collection; these let go of it.
  rows.length = 0
  return page
}

function merge<Row>(db: Db, one: Rows<Row>, other: Rows<Row>): Rows<Row> {
  const both = db
    .selectFrom(one.as('one'))
    .selectAll()
    .unionAll(db.selectFrom(other.as('other')).selectAll() as never)
  return db.selectFrom(both.as('both')).selectAll() as unknown as Rows<Row>
}
