import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from './database.ts'
import { inTransaction } from './transaction.ts'
import type { DB } from './types.gen.ts'

/** How many rows one statement deletes at most: few enough that it is over long before the limit on its time. */
export const BATCH_ROWS = 5000

/**
 * Deletes the first of the rows that a condition names, and returns how many. They are found in the order of a column that has
 * an index: a plan that does not know the time in the condition takes a third of the rows for past it, and would read the table
 * from its beginning. They are deleted by their place, because the planner would read the whole table to find thousands by
 * their keys. Two processes that do it at once pass over each other's rows.
 */
export async function deleteBatch<Table extends keyof DB>(
  tx: Tx,
  table: Table,
  column: keyof DB[Table] & string,
  condition: RawBuilder<unknown>,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ctid = any(array(
    select ctid from ${sql.table(table)} where ${condition} order by ${sql.ref(column)}
    limit ${BATCH_ROWS} for update skip locked))`.execute(tx)
  return Number(numAffectedRows)
}

/** deleteBatch for the rows of one company. */
export async function deleteRowsOf(
  tx: Tx,
  table: keyof DB,
  companyId: number,
  which: RawBuilder<unknown> = sql`true`,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ctid = any(array(
    select ctid from ${sql.table(table)} where company_id = ${companyId} and ${which}
    limit ${BATCH_ROWS} for update skip locked))`.execute(tx)
  return Number(numAffectedRows)
}

/** Repeats a piece of work, each time in a transaction of its own, until it finds nothing to do. */
export async function inBatches(db: Db, work: (tx: Tx) => Promise<number>): Promise<void> {
  while ((await inTransaction(db, work)) > 0);
}

/**
 * Goes through a table slice by slice, each in a transaction of its own. The work gets the place after which its slice begins,
 * and returns the place at which it ends; undefined means that there was nothing left.
 */
export async function inSlices<Place>(
  db: Db,
  start: Place,
  work: (tx: Tx, after: Place) => Promise<Place | undefined>,
): Promise<void> {
  let place: Place | undefined = start
  while (place !== undefined) {
    const after: Place = place
    place = await inTransaction(db, (tx) => work(tx, after))
  }
}
