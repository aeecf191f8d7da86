import { sql } from 'kysely'
import { deleteBatch } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'
import { DAYS, type Part } from './state.ts'

const DAY_MS = 86_400_000

/** Notes that parts of the service work in this minute. Any number of processes may do so. */
export async function noteWorking(tx: Tx, parts: readonly Part[], now: Date): Promise<void> {
  if (parts.length === 0) return
  const minute = now.getUTCHours() * 60 + now.getUTCMinutes()
  await sql`insert into status_days (day, part, minutes, seen_at)
    select ${now.toISOString().slice(0, 10)}::date, part, set_bit(repeat('0', 1440)::bit(1440), ${minute}::int, 1), ${now}::timestamptz
    from unnest(${[...parts].sort()}::text[]) as part
    on conflict (day, part) do update set minutes = set_bit(status_days.minutes, ${minute}::int, 1),
      seen_at = greatest(status_days.seen_at, excluded.seen_at)`.execute(tx)
}

/** Deletes days that the page no longer shows, and returns how many rows that were. */
export function deleteOldDays(tx: Tx, now: Date): Promise<number> {
  const first = new Date(now.getTime() - (DAYS + 1) * DAY_MS).toISOString().slice(0, 10)
  return deleteBatch(tx, 'status_days', 'day', sql`day < ${first}::date`)
}
