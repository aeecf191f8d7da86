import { sql } from 'kysely'
import { readNumbers } from '#platform/db/numbers.ts'
import type { Measures } from '#platform/log/measures.ts'

const countNew = (now: Date) => sql`select count(*) as waiting,
      coalesce(date_part('epoch', ${now}::timestamptz - min(created_at)), 0)::float8 as oldest
    from events where position is null`

/** Of events that no delivery was made of yet, there are none or few, unless the worker is behind. */
export const eventMeasures: Measures = {
  gauges: {
    licet_events_waiting: { help: 'Events of which no deliveries were made yet.' },
    licet_events_lag_seconds: { help: 'How long the oldest event has been waiting for its deliveries.' },
  },
  async read(db, now) {
    const [row] = await readNumbers(db, countNew(now))
    return [
      { name: 'licet_events_waiting', value: row?.number('waiting') ?? 0 },
      // Times of sandboxes may lie ahead.
      { name: 'licet_events_lag_seconds', value: Math.max(0, row?.number('oldest') ?? 0) },
    ]
  },
}
