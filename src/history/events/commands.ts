import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'

const KEPT_DAYS = 30
/** Few enough for a short transaction. */
const BATCH = 10_000

/**
 * Deletes the oldest events that are past their time, a batch at a time; answers how many. They are found by their ids,
 * which grow with time, because an index on the time would cost every change of a resource. Two processes that do it at
 * once pass over each other's rows. Those of a sandbox are as old as its clock says, which is never less than by that of the machine.
 *
 * Events are kept for 30 days, sent or not, and each is sent at most once. These rules apply to every sender:
 * - A receiver, such as a webhook, gets the events that were written since it was created, never older ones.
 * - A delivery carries its own copy of what it sends, so that it may be retried after its event is gone.
 */
export async function deleteOldEvents(tx: Tx, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000)
  const { numAffectedRows = 0n } = await sql`
    with first as materialized (
      select id, company_id, created_at from events order by id limit ${BATCH}
    ), old as materialized (
      select id from events where id in (
        select first.id from first left join test_clocks on test_clocks.company_id = first.company_id
        where first.created_at < ${oldest}::timestamptz + coalesce(test_clocks.ahead_ms, 0) * interval '1 millisecond'
      ) for update skip locked
    ) delete from events using old where events.id = old.id`.execute(tx)
  return Number(numAffectedRows)
}
