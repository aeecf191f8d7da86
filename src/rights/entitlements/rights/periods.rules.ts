import type { Rights } from './state.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MONTHS_PER_YEAR = 12

/** The units of a relative end, by the code of the license. */
const UNITS = ['hours', 'days', 'months'] as const
export type Unit = (typeof UNITS)[number]
export type Period = { count: number; unit: Unit }

export function unitOf(mode: number): Unit {
  return UNITS[mode] ?? 'hours'
}

/** The same day some months later, or the last day of that month if it is shorter. */
function addMonths(time: Date, months: number): Date {
  const later = new Date(time)
  later.setUTCMonth(later.getUTCMonth() + months, 1)
  const lastDay = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate()
  later.setUTCDate(Math.min(time.getUTCDate(), lastDay))
  return later
}

/** The last time that has four digits for its year. */
const LAST_TIME = new Date('9999-12-31T23:59:59Z')

export function addPeriod(time: Date, { count, unit }: Period): Date {
  const later =
    unit === 'months' ? addMonths(time, count) : new Date(time.getTime() + count * (unit === 'days' ? DAY_MS : HOUR_MS))
  return later > LAST_TIME ? LAST_TIME : later
}

/** The time from which relative ends and years count: a product that was ordered in advance begins at its release. */
export function startOf({ acquired_at, released_at }: Pick<Rights, 'acquired_at' | 'released_at'>): Date {
  return released_at !== null && released_at > acquired_at ? released_at : acquired_at
}

type Dated = Pick<Rights, 'terms' | 'acquired_at' | 'released_at' | 'first_used_at'>

/** The earliest of the ends that the license and the group set; null if they set none. */
export function endOf(rights: Dated & Pick<Rights, 'membership'>): Date | null {
  const { membership } = rights
  const ends = [licenseEndOf(rights), membership?.ends_at ?? null, membership?.closes_at ?? null]
  return ends.reduce((first, end) => (first === null || (end !== null && end < first) ? end : first), null)
}

/** The earliest of the ends that the license sets; null if it sets none. */
export function licenseEndOf(rights: Dated): Date | null {
  const { terms, first_used_at } = rights
  let end = terms.expiration_date
  const consider = (from: Date, count: number, mode: number) => {
    if (count === 0) return
    const other = addPeriod(from, { count, unit: unitOf(mode) })
    if (end === null || other < end) end = other
  }
  consider(startOf(rights), terms.expire_after_acquisition, terms.expire_after_acquisition_mode)
  if (first_used_at !== null) consider(first_used_at, terms.expire_after_first_use, terms.expire_after_first_use_mode)
  return end
}

/** When the year of the license with this number begins: on the day of acquisition, at midnight. */
function beginOfYear(start: Date, year: number): Date {
  const day = new Date(Math.floor(start.getTime() / DAY_MS) * DAY_MS)
  return addMonths(day, year * MONTHS_PER_YEAR)
}

type Counted = Pick<Rights, 'acquired_at' | 'released_at'> & Partial<Pick<Rights, 'membership'>>

/** What a group includes counts together, whenever it was released and whichever member of a sharing group uses it. */
function yearsFrom(rights: Counted): Date {
  return rights.membership?.counted_from ?? startOf(rights)
}

/** The number of the year of the license, from 0. */
export function yearOf(rights: Counted, now: Date): number {
  const start = yearsFrom(rights)
  const guess = Math.max(0, now.getUTCFullYear() - start.getUTCFullYear())
  return guess > 0 && beginOfYear(start, guess) > now ? guess - 1 : guess
}

/** When the annual counts begin again. */
export function nextYearOf(rights: Counted, now: Date): Date {
  return beginOfYear(yearsFrom(rights), yearOf(rights, now) + 1)
}
