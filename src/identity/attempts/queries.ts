import type { Db } from '#platform/db/database.ts'
import { type Counted, endOfWait, longestWait } from './rules.ts'

/** Seconds until an attempt may be made: the longest wait of all limits. */
export async function findWait(db: Db, counted: Counted[], now: Date): Promise<number> {
  if (counted.length === 0) return 0
  const keys = counted.map(({ key }) => key)
  const rows = await db
    .selectFrom('attempt_limits')
    .select(['failed_at', 'blocked_until'])
    .where('key', 'in', keys)
    .execute()
  return longestWait(
    rows.map(({ failed_at, blocked_until }) => endOfWait({ failedAt: failed_at, blockedUntil: blocked_until }, now)),
    now,
  )
}
