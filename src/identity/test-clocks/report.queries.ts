import type { Db } from '#platform/db/database.ts'
import type { Found, Stretch } from '#platform/db/expressions.ts'
import { HAPPENED_KINDS, type HappenedKind } from './happened.facts.ts'
import type { ClockState, Report } from './state.ts'

/** How each kind is found again: the rooms that know of it are above this one. */
export type Readers = Record<
  HappenedKind,
  (db: Db, companyId: number, stretch: Stretch, limit: number) => Promise<Found>
>

const EACH_MAX = 100

/** What the last move of a clock did, or has done so far; undefined: it was never moved. */
export async function readReport(
  db: Db,
  readers: Readers,
  { company_id, moved_from, moved_to, stands_at }: ClockState,
): Promise<Report | undefined> {
  if (moved_from === null || moved_to === null) return undefined
  const stretch = { after: moved_from, until: stands_at ?? moved_to }
  const found = await Promise.all(
    HAPPENED_KINDS.map(async (kind) => [kind, await readers[kind](db, company_id, stretch, EACH_MAX)] as const),
  )
  return Object.fromEntries(found) as Report
}
