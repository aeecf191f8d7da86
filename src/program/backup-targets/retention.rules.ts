import type { Retention } from '#platform/settings/backup-settings.ts'

export type Kept = { name: string; createdAt: Date }

const DAY_MS = 86_400_000
/** The first of January 1970 was a Thursday, and weeks begin on Monday. */
const MONDAY_DAYS = 3

const dayOf = (time: Date) => time.toISOString().slice(0, 10)
const weekOf = (time: Date) => String(Math.floor((time.getTime() / DAY_MS + MONDAY_DAYS) / 7))
const monthOf = (time: Date) => time.toISOString().slice(0, 7)

/** The last backup of each of the latest days, weeks or months that have one, in UTC. */
function lastOf(backups: readonly Kept[], periodOf: (time: Date) => string, count: number): string[] {
  const last = new Map<string, string>()
  for (const { name, createdAt } of backups) if (!last.has(periodOf(createdAt))) last.set(periodOf(createdAt), name)
  return [...last.values()].slice(0, count)
}

/** The backups that are kept no longer. The newest is always kept. */
export function outdated(backups: readonly Kept[], { daily, weekly, monthly }: Retention): string[] {
  const sorted = [...backups].sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
  const kept = new Set([
    ...sorted.slice(0, 1).map(({ name }) => name),
    ...lastOf(sorted, dayOf, daily),
    ...lastOf(sorted, weekOf, weekly),
    ...lastOf(sorted, monthOf, monthly),
  ])
  return sorted.map(({ name }) => name).filter((name) => !kept.has(name))
}

/** The latest of the daily times that is over. */
export function lastTime(times: readonly number[], now: Date): Date | undefined {
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  const all = [midnight - DAY_MS, midnight].flatMap((day) => times.map((minutes) => day + minutes * 60_000))
  const last = all.filter((time) => time <= now.getTime()).at(-1)
  return last === undefined ? undefined : new Date(last)
}

/** The name of a backup's folder: sorted by name, they are sorted by time. */
export function nameAt(now: Date): string {
  return `licet-backup-${now.toISOString().slice(0, 19).replaceAll(':', '-')}`
}
