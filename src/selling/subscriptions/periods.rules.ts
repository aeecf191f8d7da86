import { addPeriod } from '#rights/entitlements/rights/periods.rules.ts'
import type { PlanState } from '#selling/plans/state.ts'

type Interval = Pick<PlanState, 'interval' | 'interval_count'>

const DAY_MS = 86_400_000
const MONTHS: Record<Exclude<PlanState['interval'], 'week'>, number> = { month: 1, quarter: 3, year: 12 }

export function addDays(time: Date, days: number): Date {
  return new Date(time.getTime() + days * DAY_MS)
}

/** The time after so many intervals of a plan. */
export function addIntervals(time: Date, { interval, interval_count }: Interval, count: number): Date {
  if (interval === 'week') return addDays(time, 7 * interval_count * count)
  return addPeriod(time, { count: MONTHS[interval] * interval_count * count, unit: 'months' })
}

const WEEKS_OF_A_YEAR = 52

/** Does a period last a year, in whichever interval the plan counts it? */
export function isYearOrLonger({ interval, interval_count }: Interval): boolean {
  return interval === 'week' ? interval_count >= WEEKS_OF_A_YEAR : MONTHS[interval] * interval_count >= MONTHS.year
}

/** From when to when somebody is a member for one payment. */
export type Span = { starts_at: Date; ends_at: Date }

/**
 * The period that begins when one is over. Periods are counted from the anchor, so that the 31st stays the 31st after a short
 * month. Those that were over before anybody could be charged, because the service was off, are left out: nobody pays for them.
 */
export function spanAfter(anchor: Date, plan: Interval, end: Date, now: Date): Span {
  let count = 0
  while (addIntervals(anchor, plan, count) < end) count += 1
  while (addIntervals(anchor, plan, count + 1) <= now) count += 1
  return { starts_at: addIntervals(anchor, plan, count), ends_at: addIntervals(anchor, plan, count + 1) }
}

/**
 * What of the price of a period is left at a time: a day that has begun counts as a whole one, so that what a customer was shown
 * still holds when the button is pressed. It is rounded down to the smallest coin.
 */
export function restOf({ starts_at, ends_at }: Span, cents: number, now: Date, stepCents: number): number {
  const whole = ends_at.getTime() - starts_at.getTime()
  const days = Math.ceil(Math.max(0, ends_at.getTime() - now.getTime()) / DAY_MS)
  const left = Math.min(whole, days * DAY_MS)
  return whole <= 0 ? 0 : Math.floor((cents * left) / whole / stepCents) * stepCents
}
