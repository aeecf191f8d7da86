import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Columns, Filled } from '#platform/db/expressions.ts'
import { announce } from '#platform/db/notices/announcements.ts'
import { prepare } from '#platform/db/prepared.ts'

/** An event that has no position in the log yet. */
export type NewEvent = {
  id: number
  company_id: number
  topic: string
  data: { type: string; id: string }
}

/** The channel that wakes the readers of the log: there are events with new positions. */
export const DISPATCHED_CHANNEL = 'licet_dispatched'

/** Any number that no other advisory lock of the service uses. */
const DISPATCH_LOCK = 7_265_001

const lockDispatch = prepare((tx: Db, key: number) => sql`select pg_advisory_xact_lock(${key}::bigint)`.compile(tx))

const selectNew = prepare((tx: Db, after: number, perCompany: number, limit: number) =>
  sql<Columns<'events', 'id' | 'company_id' | 'topic'> & Pick<NewEvent, 'data'>>`with recursive company (id) as (
      (select company_id from events where position is null and company_id > ${after} order by company_id limit 1)
      union all
      select (select company_id from events where position is null and company_id > company.id order by company_id limit 1)
      from company where company.id is not null
    )
    select event.* from company, lateral (
      select id, company_id, topic, data from events
      where position is null and company_id = company.id order by id limit ${perCompany}) as event
    limit ${limit}`.compile(tx),
)

/** The order is that of the index, which alone makes the first row cheap, whatever the statistics say. */
const selectFirst = prepare((db: Db, none: number) =>
  sql`select from events where position is null and company_id > ${none} order by company_id, id limit 1`.compile(db),
)

/** Are there events without a position? */
export async function hasNewEvents(db: Db): Promise<boolean> {
  return (await selectFirst(db, 0)).length > 0
}

/** Has a company events that were not dispatched? */
export async function hasNewEventsOf(db: Db, companyId: number): Promise<boolean> {
  const { rows } = await sql`select from events where company_id = ${companyId} and position is null limit 1`.execute(
    db,
  )
  return rows.length > 0
}

export type EventsToRead = { afterCompany: number; perCompany: number; limit: number }

/**
 * Reads new events, the oldest of each company, of companies after one. The caller gives them their positions or leaves
 * them for later. One transaction does so at a time: readers of the log, and the deliveries that are made from it, then see
 * the events of a resource in the order of its changes.
 */
export async function lockNewEvents(tx: Tx, { afterCompany, perCompany, limit }: EventsToRead): Promise<NewEvent[]> {
  const [, , events] = await Promise.all([
    lockDispatch(tx, DISPATCH_LOCK),
    // With statistics from a burst, when most events were new, the planner would read the whole table for each event.
    sql`set local enable_seqscan = off`.execute(tx),
    selectNew(tx, afterCompany, perCompany, limit),
  ])
  return events
}

const place = prepare((tx: Db, ids: number[]) =>
  sql<Filled<'events', 'id' | 'position'>>`with numbered as materialized (
      select id, nextval('event_positions') as position
      from (select id from unnest(${ids}::bigint[]) as chosen (id) order by id) as chosen
    )
    update events set position = numbered.position from numbered where events.id = numbered.id
    returning events.id, events.position`.compile(tx),
)

/** Gives events their positions in the log, in the order of their ids; returns the position of each. */
export async function placeEvents(tx: Tx, ids: number[]): Promise<Map<number, number>> {
  const rows = await place(tx, ids)
  announce(tx, DISPATCHED_CHANNEL)
  return new Map(rows.map(({ id, position }) => [id, position]))
}
