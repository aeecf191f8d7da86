import { DAYS, PARTS, type Part, type PartDay } from './state.ts'

const DAY_MS = 86_400_000
const MINUTES = 1440
/** A note every half minute, of processes that may be busy. */
const SILENT_MS = 180_000

export type Day = {
  day: string
  /** Undefined: nothing was noted yet. */
  lostMinutes: number | undefined
}

export type PartStatus = {
  part: Part
  works: boolean
  days: Day[]
  /** From 0 to 1; undefined: nothing was noted yet. */
  share: number | undefined
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10)
export const firstDay = (now: Date) => dayOf(new Date(now.getTime() - (DAYS - 1) * DAY_MS))

/** What the rows say at a time. A minute without a note is one in which the part did not work, from its first note on. */
export function statusOf(rows: readonly PartDay[], now: Date): PartStatus[] {
  return PARTS.map((part) => {
    const own = new Map(rows.filter((row) => row.part === part).map((row) => [row.day, row]))
    const [first] = [...own.values()]
    const days = Array.from({ length: DAYS }, (_, index) =>
      dayOf(new Date(now.getTime() - (DAYS - 1 - index) * DAY_MS)),
    )
    const counted = days.map((day) => ({ day, ...minutesOf(day, own.get(day), first, now) }))
    const [good, all] = counted.reduce(([good, all], one) => [good + one.good, all + one.all], [0, 0])
    const last = own.get(dayOf(now)) ?? [...own.values()].at(-1)
    return {
      part,
      works: last !== undefined && now.getTime() - last.seen_at.getTime() < SILENT_MS,
      days: counted.map(({ day, good, all }) => ({ day, lostMinutes: all === 0 ? undefined : all - good })),
      share: all === 0 ? undefined : good / all,
    }
  })
}

/** The minutes of a day that have worked, and those that should have. The present one is not over. */
function minutesOf(day: string, row: PartDay | undefined, first: PartDay | undefined, now: Date) {
  if (first === undefined || day < first.day) return { good: 0, all: 0 }
  const from = day === first.day ? first.first : 0
  const until = day === dayOf(now) ? now.getUTCHours() * 60 + now.getUTCMinutes() : MINUTES
  const all = Math.max(0, until - from)
  return { good: Math.min(all, row?.good ?? 0), all }
}
