import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { prepare } from '../db/prepared.ts'
import type { Measures } from '../log/measures.ts'

type Kind = { kind: string; due: number; running: number; failed: number; oldest: number }

const countByKind = prepare((db: Db, now: Date) =>
  sql<Kind>`select kind,
      count(*) filter (where failed_at is null and due_at <= ${now}::timestamptz) as due,
      count(*) filter (where failed_at is null and leased_until > ${now}::timestamptz) as running,
      count(*) filter (where failed_at is not null) as failed,
      coalesce(extract(epoch from ${now}::timestamptz - min(due_at) filter (where failed_at is null and due_at <= ${now}::timestamptz)), 0)::float8 as oldest
    from jobs group by kind`.compile(db),
)

/** What waits, and what was given up. The queue is short: what is done is deleted. */
export const jobMeasures: Measures = {
  gauges: {
    licet_jobs_due: { help: 'Jobs that wait for a worker.', labels: ['kind'] },
    licet_jobs_leased: { help: 'Jobs that the workers of all processes are doing.', labels: ['kind'] },
    licet_jobs_oldest_due_seconds: { help: 'How long the oldest job has been due.', labels: ['kind'] },
    licet_jobs_given_up: { help: 'Jobs that have failed for good, and are kept to be seen.', labels: ['kind'] },
  },
  async read(db, now) {
    const kinds = await countByKind(db, now)
    return kinds.flatMap(({ kind, due, running, failed, oldest }) => [
      { name: 'licet_jobs_due', labels: { kind }, value: due },
      { name: 'licet_jobs_leased', labels: { kind }, value: running },
      { name: 'licet_jobs_oldest_due_seconds', labels: { kind }, value: oldest },
      { name: 'licet_jobs_given_up', labels: { kind }, value: failed },
    ])
  },
}
