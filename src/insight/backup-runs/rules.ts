import type { BackupHealth } from './state.ts'

const DAY_MS = 86_400_000
/** A day is between two, and some hours for a large one. */
const LATE_MS = 1.5 * DAY_MS

/** What is wrong with the backups of the schedule; undefined: nothing. */
export function complaintOf({ last, lastDone }: BackupHealth, now: Date): string | undefined {
  if (last?.state === 'failed') return `the last one failed: ${last.problem ?? 'unknown'}`
  if (last === undefined) return undefined
  const done = lastDone?.finished_at ?? undefined
  if (done === undefined) return now.getTime() - last.due_at.getTime() > LATE_MS ? 'none was ever finished' : undefined
  return now.getTime() - done.getTime() > LATE_MS ? `none since ${done.toISOString().slice(0, 16)}` : undefined
}
