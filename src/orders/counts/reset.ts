import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { readOrderIds, readOrders } from '../queries.ts'
import { countAllIn } from './commands.ts'
import { foldChangesOf } from './fold.ts'
import { findRecount } from './queries.ts'

const BATCH = 1000

/**
 * Counts the orders of a company from scratch, while orders are added and changed. It must be the first in its transaction:
 * all of it sees the orders and their changes of one moment. Changes after that moment stay and are added later.
 */
export async function resetCounts(tx: Tx, companyId: number): Promise<void> {
  await sql`set transaction isolation level repeatable read`.execute(tx)
  // A lock is no read, so the moment comes after it, and no changes are folded in the meantime.
  await sql`lock table order_days in share row exclusive mode`.execute(tx)
  await Promise.all([
    tx.deleteFrom('order_changes').where('company_id', '=', companyId).execute(),
    tx.deleteFrom('order_counts').where('company_id', '=', companyId).execute(),
    tx.deleteFrom('order_days').where('company_id', '=', companyId).execute(),
    tx.deleteFrom('order_origin_days').where('company_id', '=', companyId).execute(),
    tx.deleteFrom('order_product_days').where('company_id', '=', companyId).execute(),
  ])
  for (let ids = await readOrderIds(tx, companyId, 0, BATCH); ids.length > 0; ) {
    await countAllIn(tx, companyId, await readOrders(tx, companyId, ids))
    await foldChangesOf(tx, companyId)
    ids = await readOrderIds(tx, companyId, ids.at(-1) ?? 0, BATCH)
  }
  await tx.deleteFrom('order_recounts').where('company_id', '=', companyId).execute()
}

/** Counts the orders of companies from scratch that a migration has asked for. */
export async function resetAskedCounts(db: Db): Promise<void> {
  for (;;) {
    const companyId = await findRecount(db)
    if (companyId === undefined) return
    await inTransaction(db, (tx) => resetCounts(tx, companyId))
  }
}
