import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from './database.ts'
import type { DB } from './types.gen.ts'

/** A row of a table, as it is read. */
export type Row<Table extends keyof DB> = Selectable<DB[Table]>

/** Some columns of a row. A statement whose rows have this type is wrong at compile time if a column is renamed. */
export type Columns<Table extends keyof DB, Names extends keyof Row<Table>> = Pick<Row<Table>, Names>

/** The same for columns that the statement leaves out where they are null. */
export type Filled<Table extends keyof DB, Names extends keyof Row<Table>> = {
  [Name in Names]: NonNullable<Row<Table>[Name]>
}

/** A condition, as SQL. PostgreSQL itself refuses one that is no truth value. */
export function condition(parts: TemplateStringsArray, ...values: readonly unknown[]): RawBuilder<boolean> {
  return sql<boolean>(parts, ...values)
}

/** `any` of some ids, for the right side of a comparison. The statement is the same for any number of them. */
export function anyOf(ids: readonly number[]): RawBuilder<number> {
  return sql<number>`any(${ids}::bigint[])`
}

/** The same for texts. */
export function anyText(texts: readonly string[]): RawBuilder<string> {
  return sql<string>`any(${texts}::text[])`
}

/** A day such as `2026-03-08`, for a comparison with a column of dates. */
export function dayOf(day: string): RawBuilder<Date> {
  return sql<Date>`${day}::date`
}

/** The last character: what begins with a text is before the text with this one behind it. */
const LAST = '\u{10ffff}'

/**
 * Does a text begin with another one? For an index with `text_pattern_ops`, whose order is that of the bytes. `like` would
 * use the index only if the pattern were known when the statement is planned.
 */
export function beginsWith(text: RawBuilder<string>, beginning: string | RawBuilder<string>): RawBuilder<boolean> {
  return condition`(${text} ~>=~ lower(${beginning}::text) and ${text} ~<~ (lower(${beginning}::text) || ${sql.lit(LAST)}))`
}

/** After one time, and until another, the last one included. */
export type Stretch = { after: Date; until: Date }

/** How much happened in a stretch of time, and the first of it. */
export type Found = { count: number; first: { id: number; at: Date }[] }

/** Reads what happened in a stretch of time from a statement with the columns `id` and `at`. */
export async function findWithin(
  db: Db,
  statement: RawBuilder<unknown>,
  { after, until }: Stretch,
  limit: number,
): Promise<Found> {
  const { rows } = await sql<{
    id: number
    at: Row<'events'>['created_at']
    count: number
  }>`select id::float8 as id, at,
      (count(*) over ())::float8 as count
    from (${statement}) as happened where at > ${after} and at <= ${until} order by at, id limit ${limit}`.execute(db)
  return { count: rows[0]?.count ?? 0, first: rows.map(({ id, at }) => ({ id, at })) }
}
