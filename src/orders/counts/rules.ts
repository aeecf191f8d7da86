import { storedStatus } from '../rules.ts'
import type { OrderRow } from '../state.ts'

/** A time is whole seconds, and so is the end of a day. */
const DAY_MS = 86_400_000
const LAST_MS = DAY_MS - 1000

/** Days that are counted as a whole, including the first and the last; null means no bound. */
export type Days = { from: string | null; to: string | null }

/** Both ends included. */
export type Span = { from: Date; to: Date }

export type CountPlan = { days: Days | null; spans: Span[] }

/** The day under which the counts of all days are stored, as PostgreSQL writes it. */
export const ALL_DAYS = '-infinity'

/** How many orders of one day, or of all days, have the same status, and the range of their ids. */
export type DayCount = {
  day: string
  financial_status: string
  fulfillment_status: string
  amount: number
  first_id: number
  last_id: number
}

type Tallied = Pick<OrderRow, 'id' | 'created_at' | 'financial_status' | 'fulfillment_status' | 'cancelled_at'>

/** Adds an order to the counts of its day and of all days. */
export function tally(counts: Map<string, DayCount>, order: Tallied): void {
  const { id, financial_status } = order
  const fulfillment_status = storedStatus(order) ?? ''
  for (const day of [ALL_DAYS, dayOf(order.created_at)]) {
    const key = `${day} ${financial_status} ${fulfillment_status}`
    const known = counts.get(key)
    if (known === undefined)
      counts.set(key, { day, financial_status, fulfillment_status, amount: 1, first_id: id, last_id: id })
    else {
      known.amount += 1
      known.first_id = Math.min(known.first_id, id)
      known.last_id = Math.max(known.last_id, id)
    }
  }
}

/** The day of a time, as PostgreSQL writes it. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

const startOf = (time: Date) => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS)
const endOf = (time: Date) => new Date(startOf(time).getTime() + LAST_MS)
const dayAfter = (time: Date) => new Date(startOf(time).getTime() + DAY_MS)
const dayBefore = (time: Date) => new Date(startOf(time).getTime() - DAY_MS)

/**
 * How the orders of a period are counted: whole days by their stored counts, and the rest at either end one by one, so
 * that a longer period does not cost more.
 */
export function planCount(min: Date | undefined, max: Date | undefined): CountPlan {
  if (min !== undefined && max !== undefined && min > max) return { days: null, spans: [] }
  if (min !== undefined && max !== undefined && dayOf(min) === dayOf(max)) {
    const isWhole = min.getTime() === startOf(min).getTime() && max.getTime() === endOf(max).getTime()
    return isWhole
      ? { days: { from: dayOf(min), to: dayOf(min) }, spans: [] }
      : { days: null, spans: [{ from: min, to: max }] }
  }
  const spans: Span[] = []
  let from: string | null = null
  let to: string | null = null
  if (min !== undefined) {
    const isWhole = min.getTime() === startOf(min).getTime()
    from = dayOf(isWhole ? min : dayAfter(min))
    if (!isWhole) spans.push({ from: min, to: endOf(min) })
  }
  if (max !== undefined) {
    const isWhole = max.getTime() === endOf(max).getTime()
    to = dayOf(isWhole ? max : dayBefore(max))
    if (!isWhole) spans.push({ from: startOf(max), to: max })
  }
  return { days: from !== null && to !== null && from > to ? null : { from, to }, spans }
}
