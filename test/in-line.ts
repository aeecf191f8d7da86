import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Service, Shop } from './harness.ts'
import { PATIENCE_MS } from './patience.ts'

/**
 * Holds a user while these are started, each when the one before waits for it; then lets them go on in that order. So
 * one that was under way already meets what another has changed meanwhile.
 */
export async function inLine<Result>(
  service: Service,
  { companyId, userId }: Pick<Shop, 'companyId' | 'userId'>,
  starts: (() => Promise<Result>)[],
): Promise<Result[]> {
  const results: Promise<Result>[] = []
  await inTransaction(service.db, async (tx) => {
    await sql`select id from users where company_id = ${companyId} and id = ${userId} for update`.execute(tx)
    for (const start of starts) {
      results.push(start())
      await untilWaiting(service, results.length)
    }
  })
  return Promise.all(results)
}

/** Waits until this many requests wait for a lock in the database. */
export async function untilWaiting({ db }: Service, count: number): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const waiting = await countWaiting(db)
    if (waiting >= count) return
    if (Date.now() > deadline) throw new Error(`${waiting} of ${count} came as far as to wait`)
    await sleep(5)
  }
}

/** Fails if more requests than these keep waiting. Something else may wait for a moment, such as for the end of a table. */
export async function assertOnlyWaiting({ db }: Service, count: number): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const waiting = await countWaiting(db)
    if (waiting === count) return
    if (Date.now() > deadline) throw new Error(`${waiting} wait, and not ${count}`)
    await sleep(5)
  }
}

async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}
