import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { announce } from '#platform/db/notices/announcements.ts'
import { prepareWrite } from '#platform/db/writes.ts'
import { currentSpan } from '#platform/tracing/trace.ts'
import type { Topic, Topics } from './topics.facts.ts'

/** The channel that wakes the workers: there are events to dispatch. */
export const EVENTS_CHANNEL = 'licet_events'

const insertEvents = prepareWrite(
  'insert',
  'events',
  (tx: Tx, companyId: number, topic: Topic, entries: string[], now: Date) =>
    sql`insert into events (company_id, topic, data, created_at)
    select ${companyId}::bigint, ${topic}::text, entry::json, ${now}::timestamptz
    from unnest(${entries}::text[]) as entry`.compile(tx),
)

/** The same, for events of a trace that their deliveries go on with. */
const insertTracedEvents = prepareWrite(
  'insert',
  'events',
  (tx: Tx, companyId: number, topic: Topic, entries: string[], now: Date, trace: string) =>
    sql`insert into events (company_id, topic, data, created_at, trace_parent)
    select ${companyId}::bigint, ${topic}::text, entry::json, ${now}::timestamptz, ${trace}::text
    from unnest(${entries}::text[]) as entry`.compile(tx),
)

/** Records events in the caller's transaction, so that they exist if and only if the changes exist. */
export async function emit<Name extends Topic>(
  tx: Tx,
  companyId: number,
  topic: Name,
  now: Date,
  data: Topics[Name][],
): Promise<void> {
  if (data.length === 0) return
  const texts = data.map((entry) => JSON.stringify(entry))
  announce(tx, EVENTS_CHANNEL)
  const span = currentSpan()
  if (span === undefined) await insertEvents(tx, companyId, topic, texts, now)
  else await insertTracedEvents(tx, companyId, topic, texts, now, span.traceparent)
}

const insertForEach = prepareWrite(
  'insert',
  'events',
  (tx: Tx, companyIds: number[], topic: Topic, entry: string, now: Date) =>
    sql`insert into events (company_id, topic, data, created_at)
    select company, ${topic}::text, ${entry}::json, ${now}::timestamptz
    from unnest(${companyIds}::bigint[]) as company`.compile(tx),
)

const insertTracedForEach = prepareWrite(
  'insert',
  'events',
  (tx: Tx, companyIds: number[], topic: Topic, entry: string, now: Date, trace: string) =>
    sql`insert into events (company_id, topic, data, created_at, trace_parent)
    select company, ${topic}::text, ${entry}::json, ${now}::timestamptz, ${trace}::text
    from unnest(${companyIds}::bigint[]) as company`.compile(tx),
)

/** Records one change for several companies that all know the resource. */
export async function emitToEach<Name extends Topic>(
  tx: Tx,
  companyIds: number[],
  topic: Name,
  now: Date,
  data: Topics[Name],
): Promise<void> {
  announce(tx, EVENTS_CHANNEL)
  const span = currentSpan()
  const text = JSON.stringify(data)
  if (span === undefined) await insertForEach(tx, companyIds, topic, text, now)
  else await insertTracedForEach(tx, companyIds, topic, text, now, span.traceparent)
}
