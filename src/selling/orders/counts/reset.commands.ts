import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { raiseVersion } from '#platform/db/versions.ts'
import { readOrderIds, readOrders } from '../queries.ts'
import { ORDER_DAYS } from '../statistics/queries.ts'
import { countAllIn } from './commands.ts'
import { foldChangesOf } from './fold.commands.ts'
import { findRecount } from './queries.ts'

const BATCH = 1000

/**
 * Counts the orders of a company from scratch, while orders are added and changed. It must be the first in its transaction:
 * all of it sees the orders and their changes of one moment. Changes after that moment stay and are added later. Returns
 * how many orders there are.
 */
export async function resetCounts(tx: Tx, companyId: number): Promise<number> {
  await sql`set transaction isolation level repeatable read`.execute(tx)
  // A lock is no read, so the moment comes after it, and no changes are folded in the meantime.
  await sql`lock table order_days in share row exclusive mode`.execute(tx)
  await Promise.all([
    tx.deleteFrom('order_changes').where('company_id', '=', companyId).execute(),
    tx.deleteFrom('order_counts').where('company_id', '=', companyId).execute(),
    tx.deleteFrom('order_days').where('company_id', '=', companyId).execute(),
    tx.deleteFrom('order_origin_days').where('company_id', '=', companyId).execute(),
    tx.deleteFrom('order_product_days').where('company_id', '=', companyId).execute(),
    tx.deleteFrom('order_product_months').where('company_id', '=', companyId).execute(),
    raiseVersion(tx, companyId, ORDER_DAYS),
  ])
  let count = 0
  for (let ids = await readOrderIds(tx, companyId, 0, BATCH); ids.length > 0; ) {
    count += ids.length
    await countAllIn(tx, companyId, await readOrders(tx, companyId, ids))
    await foldChangesOf(tx, companyId)
    ids = await readOrderIds(tx, companyId, ids.at(-1) ?? 0, BATCH)
  }
  await tx.deleteFrom('order_recounts').where('company_id', '=', companyId).execute()
  return count
}

/**
 * Counts the orders of a company from scratch, as if it had always been in the country and the time zone where it is now.
 * If it ends in between, the worker counts what it has left behind.
 */
export async function rebuildStatistics(db: Db, companyId: number): Promise<number> {
  for (let ids = await readOrderIds(db, companyId, 0, BATCH); ids.length > 0; ) {
    const batch = ids
    await inTransaction(db, (tx) => movePlaces(tx, companyId, batch))
    ids = await readOrderIds(db, companyId, ids.at(-1) ?? 0, BATCH)
  }
  return inTransaction(db, (tx) => resetCounts(tx, companyId))
}

async function movePlaces(tx: Tx, companyId: number, ids: number[]): Promise<void> {
  const { rows } = await sql`update orders set utc_offset = place.utc_offset,
      international = orders.country_code not in ('', place.country_code)
    from (
      select country_code, coalesce(
        (select time_zone from users where users.company_id = companies.id order by users.id limit 1), 0) as utc_offset
      from companies where id = ${companyId}
    ) as place
    where orders.company_id = ${companyId} and orders.id = any(${ids}::bigint[])
      and (orders.utc_offset, orders.international)
        <> (place.utc_offset, orders.country_code not in ('', place.country_code))
    returning orders.id`.execute(tx)
  if (rows.length > 0)
    await tx
      .insertInto('order_recounts')
      .values({ company_id: companyId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** Counts the orders of companies from scratch that a migration has asked for. */
export async function resetAskedCounts(db: Db): Promise<void> {
  for (;;) {
    const companyId = await findRecount(db)
    if (companyId === undefined) return
    await inTransaction(db, (tx) => resetCounts(tx, companyId))
  }
}
