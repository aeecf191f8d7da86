import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import { type Given, prepareFamily } from './prepared.ts'
import {
  mergeRows,
  prepareSorts,
  type Rows,
  rowsIn,
  type SortColumns,
  type SortKey,
  type SortRequest,
} from './sorts.ts'

type Several<Row> = readonly [Rows<Row>, Rows<Row>, ...Rows<Row>[]]

/** A filtered list: reads one page, and one row more if there is another page. */
export type RowList<Row extends { id: number }> = {
  (request: PageRequest): Promise<(Row & { sort_value?: string })[]>
  /** How many entries the list has, counted no further than one beyond a maximum. */
  countUpTo(maximum: number): Promise<number>
}

/** A list of stored documents. */
export type DocumentList = RowList<{ id: number; document: string }>

export type Page = {
  documents: string[]
  lastId: number
  /** The rows before and after which a sorted list goes on. */
  firstKey?: SortKey | undefined
  lastKey?: SortKey | undefined
  more: boolean
}

/**
 * The page after an id, oldest first. With `before`, the page before that id and after the other, newest first. With `sorted`,
 * a page in the order of a column, of the rows after the id.
 */
export type PageRequest = {
  after: number
  before?: number | undefined
  sorted?: SortRequest | undefined
  limit: number
  offset: number
}

/**
 * Makes a list from the select of its rows, with a prepared statement for every set of filters. Rows come in the order
 * of their id, or in the opposite one, so that a page is found by key and costs the same wherever it lies. Several selects
 * are merged by id.
 *
 * For a page by number, the first id of the page is found among the ids alone. PostgreSQL reads them in an index, where
 * hundreds lie on one page; the rows that are skipped, with their documents, are not read.
 */
export function prepareList<Names extends Given, Row extends { id: number }>(
  build: (db: Db, given: Names) => Rows<Row> | Several<Row>,
  sortColumns: SortColumns = {},
): (db: Db, given: Names) => RowList<Row> {
  const byKey = prepareFamily((db: Db, given: Names, after: number, oneMore: number) =>
    ordered(db, selectsOf(build(db, given)), oneMore, (rows) => rows.where('id', '>', after))
      .limit(oneMore)
      .compile(),
  )
  const byNumber = prepareFamily((db: Db, given: Names, after: number, oneMore: number, offset: number) => {
    const selects = selectsOf(build(db, given))
    const ids = selects.map((rows) => rows.clearSelect().select('id'))
    const firstId = ordered(db, ids, sql<number>`${offset}::bigint + 1`, (rows) => rows.where('id', '>', after))
      .limit(1)
      .offset(offset)
    return ordered(db, selects, oneMore, (rows) => rows.where('id', '>=', firstId as never))
      .limit(oneMore)
      .compile()
  })
  const byKeyDown = prepareFamily((db: Db, given: Names, after: number, before: number, oneMore: number) =>
    ordered(db, selectsOf(build(db, given)), oneMore, between(after, before), 'desc')
      .limit(oneMore)
      .compile(),
  )
  const byNumberDown = prepareFamily(
    (db: Db, given: Names, after: number, before: number, oneMore: number, offset: number) => {
      const selects = selectsOf(build(db, given))
      const ids = selects.map((rows) => rows.clearSelect().select('id'))
      const end = sql<number>`${offset}::bigint + 1`
      const firstId = ordered(db, ids, end, between(after, before), 'desc').limit(1).offset(offset)
      const narrow = (rows: Rows<Row>) => rows.where('id', '>', after).where('id', '<=', firstId as never)
      return ordered(db, selects, oneMore, narrow, 'desc').limit(oneMore).compile()
    },
  )
  const bySort = prepareSorts((db: Db, given: Names) => selectsOf(build(db, given)), sortColumns)
  // The columns stay, because some of the given values may be used in them alone. PostgreSQL does not work them out.
  const counted = prepareFamily((db: Db, given: Names, oneMore: number) => {
    const selects = selectsOf(build(db, given)).map((rows) => rows.limit(oneMore))
    const found = selects.reduce((some, rows) => mergeRows(db, some, rows)).limit(oneMore)
    return rowsIn(db, found)
      .select((select) => select.fn.countAll<number>().as('count'))
      .compile()
  })
  return (db, given) => {
    const read = ({ after, before, sorted, limit, offset }: PageRequest): Promise<Row[]> => {
      if (sorted !== undefined) return bySort(db, given, { after, sorted, limit, offset })
      if (before === undefined)
        return offset > 0 ? byNumber(db, given, after, limit + 1, offset) : byKey(db, given, after, limit + 1)
      return offset > 0
        ? byNumberDown(db, given, after, before, limit + 1, offset)
        : byKeyDown(db, given, after, before, limit + 1)
    }
    return Object.assign(read, {
      countUpTo: async (maximum: number) => (await counted(db, given, maximum + 1))[0]?.count ?? 0,
    })
  }
}

function between(after: number, before: number) {
  return <Row>(rows: Rows<Row>): Rows<Row> => rows.where('id', '>', after).where('id', '<', before)
}

/** Reads one page of documents. */
export async function readPage<Row extends { id: number }>(
  list: RowList<Row>,
  documentsOf: (rows: Row[]) => string[] | Promise<string[]>,
  request: PageRequest,
): Promise<Page> {
  const rows = await list(request)
  const more = rows.length > request.limit
  if (more) rows.pop()
  const last = rows.at(-1)
  const keyOf = (row: (Row & { sort_value?: string }) | undefined) =>
    row?.sort_value === undefined ? undefined : { value: row.sort_value, id: row.id }
  const page = {
    documents: await documentsOf(rows),
    lastId: last?.id ?? request.before ?? request.after,
    firstKey: keyOf(rows[0]),
    lastKey: keyOf(last),
    more,
  }
  // Old promises keep their results until a full garbage collection, so the rows are released here.
  rows.length = 0
  return page
}

function selectsOf<Row>(selects: Rows<Row> | Several<Row>): readonly Rows<Row>[] {
  return isSeveral(selects) ? selects : [selects]
}

function isSeveral<Row>(selects: Rows<Row> | Several<Row>): selects is Several<Row> {
  return Array.isArray(selects)
}

/**
 * Selects in the order of the ids, each narrowed to where they begin. From each of several selects, at most the rows up
 * to the end are needed, which are few to sort.
 */
function ordered<Row>(
  db: Db,
  selects: readonly Rows<Row>[],
  end: number | RawBuilder<number>,
  narrow: (rows: Rows<Row>) => Rows<Row>,
  direction: 'asc' | 'desc' = 'asc',
): Rows<Row> {
  const [first, ...others] = selects.map((rows) => narrow(rows).orderBy('id', direction))
  if (first === undefined) throw new Error('a list is made from at least one select')
  if (others.length === 0) return first
  return others
    .reduce((merged, rows) => mergeRows(db, merged, rows.limit(end)), first.limit(end))
    .orderBy('id', direction)
}
