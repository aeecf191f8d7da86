import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { closeDay } from './commands.ts'
import { listEndedDays } from './queries.ts'

/** Batches that are late by less than this still count. */
export const PATIENCE_MS = 10 * 60_000
const DAYS_AT_ONCE = 500

/** Counts the days that are over, each in a transaction of its own; returns how many. */
export async function closeEndedDays(db: Db, now: Date, only?: number): Promise<number> {
  const before = new Date(now.getTime() - PATIENCE_MS)
  const ended = await listEndedDays(db, before, DAYS_AT_ONCE, only)
  for (const day of ended) await inTransaction(db, (tx) => closeDay(tx, day))
  return ended.length
}
