import { validationFailed } from '#platform/errors/problem.ts'
import { readTime } from '#platform/wire/times.ts'
import { advanceInvalid, moveInvalid, targetInThePast, targetTooFar } from './errors.ts'

export type TestClock = { ahead_ms: number; stands_at: Date | null }

/** The time of a sandbox at a time of the machine. */
export function timeAt({ ahead_ms, stands_at }: TestClock, machine: Date): Date {
  return stands_at ?? new Date(machine.getTime() + ahead_ms)
}

/** A period of ISO 8601, such as `P1M` or `P1DT12H`. */
export type Duration = { months: number; seconds: number }

const DURATION =
  /^P(?:(\d{1,4})W|(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,5})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?)$/

/** Undefined: it is none, or it names a fraction. */
export function parseDuration(text: string): Duration | undefined {
  const match = DURATION.exec(text)
  if (match === null || text === 'P') return undefined
  const [weeks = 0, years = 0, months = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  return {
    months: years * 12 + months,
    seconds: (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds,
  }
}

/** Months are calendar months: a month after 31 January is the last day of February. */
export function addDuration(time: Date, { months, seconds }: Duration): Date {
  const moved = new Date(time)
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(time.getUTCDate(), last))
  return new Date(moved.getTime() + seconds * 1000)
}

/** A clock that went further in one move would keep its company from everything else for too long. */
export const YEARS_MAX = 2

/** Where a clock is to be moved to. */
export function targetOf({ advance, at }: { advance?: string | undefined; at?: string | undefined }, now: Date): Date {
  if ((advance === undefined) === (at === undefined)) throw validationFailed('advance', moveInvalid())
  const target = at === undefined ? targetAfter(advance ?? '', now) : readTime(at)
  const field = at === undefined ? 'advance' : 'at'
  if (target <= now) throw validationFailed(field, targetInThePast())
  if (target > addDuration(now, { months: YEARS_MAX * 12, seconds: 0 })) throw validationFailed(field, targetTooFar())
  return target
}

function targetAfter(advance: string, now: Date): Date {
  const duration = parseDuration(advance)
  if (duration === undefined) throw validationFailed('advance', advanceInvalid())
  // More than any clock may be moved, and too far for a time to be computed.
  if (duration.months > YEARS_MAX * 12 + 1 || duration.seconds > YEARS_MAX * 367 * 86_400)
    throw validationFailed('advance', targetTooFar())
  return addDuration(now, duration)
}
