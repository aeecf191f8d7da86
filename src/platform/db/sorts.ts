import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import { condition } from './expressions.ts'
import { type Given, prepareFamily } from './prepared.ts'
import type { DB } from './types.gen.ts'

/** A select to which paging is added. */
// biome-ignore lint/suspicious/noExplicitAny: the tables joined in differ by resource; only the columns matter here.
export type Rows<Row> = SelectQueryBuilder<DB, any, Row>

/** The rows of a select, to select from them. */
export function rowsIn<Row>(db: Db, select: Rows<Row>) {
  return db.selectFrom(select.as('found'))
}

/** The rows of two selects with the same columns, in no order. */
export function mergeRows<Row>(db: Db, one: Rows<Row>, other: Rows<Row>): Rows<Row> {
  const both = rowsIn(db, one)
    .selectAll()
    .unionAll(rowsIn(db, other).selectAll() as never)
  return rowsIn(db, both as Rows<unknown>).selectAll() as unknown as Rows<Row>
}

/**
 * A value of each row by which a list can be sorted: one that an index of the company has, followed by the id. It is never
 * null.
 */
export type SortColumn = { value: RawBuilder<unknown>; type: 'text' | 'timestamptz' }

export type SortColumns = { readonly [name: string]: SortColumn }

/** The last row of a page, after which the next one begins. The value is the text that PostgreSQL shows of it. */
export type SortKey = { value: string; id: number }

export type SortRequest = { by: string; descending: boolean; from?: SortKey | undefined }

type SortedPage = { after: number; sorted: SortRequest; limit: number; offset: number }

/** Reads one page of a list in the order of a column, and one row more if there is another page. */
export function prepareSorts<Names extends Given, Row extends { id: number }>(
  selectsFor: (db: Db, given: Names) => readonly Rows<Row>[],
  columns: SortColumns,
) {
  const readers = new Map(
    Object.entries(columns).flatMap(([name, column]) => [
      [name, prepareSort(selectsFor, column, 'asc')] as const,
      [`-${name}`, prepareSort(selectsFor, column, 'desc')] as const,
    ]),
  )
  return (db: Db, given: Names, { after, sorted, limit, offset }: SortedPage) => {
    const read = readers.get(`${sorted.descending ? '-' : ''}${sorted.by}`)
    if (read === undefined) throw new Error(`this list cannot be sorted by ${sorted.by}`)
    return read(db, given, { after, from: sorted.from, oneMore: limit + 1, offset })
  }
}

type PageOfSort = { after: number; from: SortKey | undefined; oneMore: number; offset: number }

/** Rows with the same value are in the order of their ids, so that a page is found by key here too. */
function prepareSort<Names extends Given, Row extends { id: number }>(
  selectsFor: (db: Db, given: Names) => readonly Rows<Row>[],
  { value, type }: SortColumn,
  direction: 'asc' | 'desc',
) {
  const cast = sql.raw(type)
  const beyond = sql.raw(direction === 'asc' ? '>' : '<')
  const sortedRows = (rows: Rows<Row>, after: number) =>
    rows
      .where('id', '>', after)
      .select(sql<string>`(${value})::text`.as('sort_value'))
      .orderBy(value, direction)
      .orderBy('id', direction)
  const merged = (db: Db, selects: readonly Rows<Row>[], end: number | RawBuilder<number>) => {
    const [first, ...others] = selects
    if (first === undefined) throw new Error('a list is made from at least one select')
    if (others.length === 0) return first
    return others
      .reduce((some, rows) => mergeRows(db, some, rows.limit(end)), first.limit(end))
      .orderBy(sql`sort_value::${cast}`, direction)
      .orderBy('id', direction)
  }
  const fromStart = prepareFamily((db: Db, given: Names, after: number, oneMore: number, offset: number) => {
    const end = sql<number>`${offset}::bigint + ${oneMore}::bigint`
    const selects = selectsFor(db, given).map((rows) => sortedRows(rows, after))
    return merged(db, selects, end).limit(oneMore).offset(offset).compile()
  })
  const fromKey = prepareFamily((db: Db, given: Names, after: number, from: string, id: number, oneMore: number) => {
    const isBeyond = condition`(${value}, id) ${beyond} (${from}::text::${cast}, ${id}::bigint)`
    const selects = selectsFor(db, given).map((rows) => sortedRows(rows, after).where(isBeyond))
    return merged(db, selects, oneMore).limit(oneMore).compile()
  })
  return (db: Db, given: Names, { after, from, oneMore, offset }: PageOfSort): Promise<Row[]> =>
    from === undefined
      ? fromStart(db, given, after, oneMore, offset)
      : fromKey(db, given, after, from.value, from.id, oneMore)
}
