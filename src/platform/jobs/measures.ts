import { sql } from 'kysely'
import { readNumbers } from '../db/numbers.ts'
import type { Measures } from '../log/measures.ts'

const byKind = (now: Date) => sql`select kind,
      count(*) filter (where failed_at is null and due_at <= ${now}::timestamptz) as due,
      count(*) filter (where failed_at is null and leased_until > ${now}::timestamptz) as running,
      count(*) filter (where failed_at is not null) as failed,
      coalesce(date_part('epoch', ${now}::timestamptz - min(due_at) filter (where failed_at is null and due_at <= ${now}::timestamptz)), 0)::float8 as oldest
    from jobs group by kind`

/** What waits, and what was given up. The queue is short: what is done is deleted. */
export const jobMeasures: Measures = {
  gauges: {
    licet_jobs_due: { help: 'Jobs that wait for a worker.', labels: ['kind'] },
    licet_jobs_leased: { help: 'Jobs that the workers of all processes are doing.', labels: ['kind'] },
    licet_jobs_oldest_due_seconds: { help: 'How long the oldest job has been due.', labels: ['kind'] },
    licet_jobs_given_up: { help: 'Jobs that have failed for good, and are kept to be seen.', labels: ['kind'] },
  },
  async read(db, now) {
    const kinds = await readNumbers(db, byKind(now))
    return kinds.flatMap((row) => {
      const labels = { kind: row.word('kind') }
      return [
        { name: 'licet_jobs_due', labels, value: row.number('due') },
        { name: 'licet_jobs_leased', labels, value: row.number('running') },
        { name: 'licet_jobs_oldest_due_seconds', labels, value: row.number('oldest') },
        { name: 'licet_jobs_given_up', labels, value: row.number('failed') },
      ]
    })
  },
}
