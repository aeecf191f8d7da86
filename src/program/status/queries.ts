import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import type { PartDay } from './state.ts'

/** The days of all parts since one. */
export async function readDays(db: Db, since: string): Promise<PartDay[]> {
  const { rows } = await sql<
    Columns<'status_days', 'part' | 'seen_at'> & Pick<PartDay, 'day' | 'good' | 'first'>
  >`select day::text, part, bit_count(minutes) as good,
      position(B'1' in minutes) - 1 as first, seen_at
    from status_days where day >= ${since}::date order by day`.execute(db)
  return rows
}
