import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Chore } from './chores.ts'
import { LEASE_SECONDS } from './queue.ts'
import { RETRY_SECONDS } from './retry.ts'

/** The clocks of machines differ by less. */
export const SKEW_SECONDS = 60
/** How often is looked for what waits for a time that the clock has left. */
export const LOOK_SECONDS = 15

/**
 * Ends waits that are longer than any can be: for a lease, or for the next try after so many. They begin while the clock of a
 * machine is ahead, and would last until that time has come once it has gone back.
 */
export async function shortenWaits(db: Db, now: Date): Promise<void> {
  await sql`with longest as materialized (
      select id, ${now}::timestamptz + make_interval(secs => case
        when leased_until is not null then ${LEASE_SECONDS}
        when attempts = 0 then 0
        else coalesce((${[...RETRY_SECONDS]}::int[])[attempts], 0) end) as due_at
      from jobs where failed_at is null and due_at > ${now}::timestamptz + make_interval(secs => ${SKEW_SECONDS})
    )
    update jobs set due_at = longest.due_at, leased_until = case when leased_until is null then null else longest.due_at end
    from longest where jobs.id = longest.id and jobs.failed_at is null
      and jobs.due_at > longest.due_at + make_interval(secs => ${SKEW_SECONDS})`.execute(db)
}

export function createWaitChore({ db, clock }: { db: Db; clock: { now(): Date } }): Chore {
  return { everySeconds: LOOK_SECONDS, run: () => shortenWaits(db, clock.now()) }
}
