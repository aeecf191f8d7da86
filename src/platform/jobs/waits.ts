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
 * Ends waits that are longer than any can be: for a lease, for the next try after so many, or for the time that a job was meant for
 * when it was written at a time that is still to come. They begin while the clock of a machine is ahead, and would last until that
 * time has come once it has gone back.
 */
export async function shortenWaits(db: Db, now: Date): Promise<void> {
  const skew = sql`make_interval(secs => ${SKEW_SECONDS})`
  await sql`with longest as materialized (
      select id, ${now}::timestamptz + case
        when leased_until is not null then make_interval(secs => ${LEASE_SECONDS})
        when attempts = 0 then due_at - enqueued_at
        else make_interval(secs => coalesce((${[...RETRY_SECONDS]}::int[])[attempts], 0)) end as due_at
      from jobs where failed_at is null and due_at > ${now}::timestamptz + ${skew}
        and (leased_until is not null or attempts > 0 or enqueued_at > ${now}::timestamptz + ${skew})
    )
    update jobs set due_at = longest.due_at, enqueued_at = least(enqueued_at, ${now}::timestamptz),
      leased_until = case when leased_until is null then null else longest.due_at end
    from longest where jobs.id = longest.id and jobs.failed_at is null
      and jobs.due_at > longest.due_at + ${skew}`.execute(db)
}

export function createWaitChore({ db, clock }: { db: Db; clock: { now(): Date } }): Chore {
  return { everySeconds: LOOK_SECONDS, run: () => shortenWaits(db, clock.now()) }
}
