import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { readNumbers } from '../numbers.ts'

/** What the server says of the archiving of its WAL. Times are as a reader sees them, in UTC; empty if there is none. */
export type Archiving = { isFailing: boolean; last: string; lastFailure: string }

const time = (column: string) => sql`coalesce(to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD HH24:MI'), '')`

/** Undefined if the server archives nothing. A failure counts until something was archived after it. */
export async function readArchiving(db: Db): Promise<Archiving | undefined> {
  const [row] = await readNumbers(
    db,
    sql`select current_setting('archive_mode') as mode,
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as failing,
      ${time('last_archived_time')} as last, ${time('last_failed_time')} as last_failure
      from pg_stat_archiver`,
  )
  if (row === undefined || row.word('mode') === 'off') return undefined
  return { isFailing: row.word('failing') === 'true', last: row.word('last'), lastFailure: row.word('last_failure') }
}
