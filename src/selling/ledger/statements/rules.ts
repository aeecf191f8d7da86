import { statementNotFound } from '../errors.ts'
import type { Month } from './state.ts'

const MINUTE_MS = 60_000

/** Reads `2026-05`, a month in a time zone with an offset to UTC in minutes. */
export function readMonth(ref: string, utcOffset: number): Month {
  const [, year, month] = /^(20\d\d)-(0[1-9]|1[0-2])$/.exec(ref) ?? []
  if (year === undefined || month === undefined) throw statementNotFound(ref)
  const beginOf = (place: number) => Date.UTC(Number(year), place, 1) - utcOffset * MINUTE_MS
  return { month: ref, from: new Date(beginOf(Number(month) - 1)), to: new Date(beginOf(Number(month)) - 1000) }
}
