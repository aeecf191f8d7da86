import { sql } from 'kysely'
import { announce } from '#platform/db/announcements.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'

/** An event that has just got its position in the log. */
export type DispatchedEvent = {
  id: number
  position: number
  company_id: number
  topic: string
  data: { type: string; id: string }
}

/** The channel that wakes the readers of the log: there are events with new positions. */
export const DISPATCHED_CHANNEL = 'licet_dispatched'

/** Any number that no other advisory lock of the service uses. */
const DISPATCH_LOCK = 7_265_001

const lockDispatch = prepare((tx: Db, key: number) => sql`select pg_advisory_xact_lock(${key}::bigint)`.compile(tx))

const takeNext = prepare((tx: Db, limit: number) =>
  sql<DispatchedEvent>`with next as materialized (
      select id from events where position is null order by id limit ${limit}
    ), numbered as materialized (
      select id, nextval('event_positions') as position from (select id from next order by id) as next
    )
    update events set position = numbered.position from numbered where events.id = numbered.id
    returning events.id, events.position, events.company_id, events.topic, events.data`.compile(tx),
)

/**
 * Gives the oldest new events their positions and returns them in order. One transaction does so at a time: readers of the
 * log, and the deliveries that are made from it, then see the events of a resource in the order of its changes.
 */
export async function takeNewEvents(tx: Tx, limit: number): Promise<DispatchedEvent[]> {
  const [, , events] = await Promise.all([
    lockDispatch(tx, DISPATCH_LOCK),
    // With statistics from a burst, when most events were new, the planner would read the whole table for each event.
    sql`set local enable_seqscan = off`.execute(tx),
    takeNext(tx, limit),
  ])
  if (events.length > 0) announce(tx, DISPATCHED_CHANNEL)
  return events.sort((one, other) => one.position - other.position)
}
