import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { Measures } from '#platform/log/measures.ts'

const countNew = prepare((db: Db, now: Date) =>
  sql<{ waiting: number; oldest: number }>`select count(*) as waiting,
      coalesce(extract(epoch from ${now}::timestamptz - min(created_at)), 0)::float8 as oldest
    from events where position is null`.compile(db),
)

/** Of events that no delivery was made of yet, there are none or few, unless the worker is behind. */
export const eventMeasures: Measures = {
  gauges: {
    licet_events_waiting: { help: 'Events of which no deliveries were made yet.' },
    licet_events_lag_seconds: { help: 'How long the oldest event has been waiting for its deliveries.' },
  },
  async read(db, now) {
    const [{ waiting, oldest } = { waiting: 0, oldest: 0 }] = await countNew(db, now)
    return [
      { name: 'licet_events_waiting', value: waiting },
      // Times of sandboxes may lie ahead.
      { name: 'licet_events_lag_seconds', value: Math.max(0, oldest) },
    ]
  },
}
