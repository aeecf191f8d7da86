import { validationFailed } from '#platform/errors/problem.ts'
import type { OperatingSystem, OriginDay } from '#selling/orders/statistics/rules.ts'
import {
  type Levels,
  NO_FLOWS,
  NO_LEVELS,
  NOTHING,
  type SubscriptionRecord,
} from '#selling/subscriptions/statistics/rules.ts'
import { endBeforeStart, periodTooLong, tooEarly } from './errors.ts'
import type { PeriodQuery, RangeQuery } from './schema.ts'

const DAY_MS = 86_400_000
/** Ten years, three of which may be leap years. */
export const PERIOD_DAYS_MAX = 3653
const DEFAULT_DAYS = 30
/** Nothing was sold before. */
const FIRST_DAY = '1970-01-01'

export type Group = 'day' | 'week' | 'month'

/** The first and the last day, both included, as `2026-05-01`, and how the days are put together. */
export type Period = { from: string; to: string; group: Group }

const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`)

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** The day that is so many days after another one. */
export function daysAfter(day: string, days: number): string {
  return dayOf(timeOf(day) + days * DAY_MS)
}

/** How many days a period has. */
export function lengthOf({ from, to }: Pick<Period, 'from' | 'to'>): number {
  return Math.round((timeOf(to) - timeOf(from)) / DAY_MS) + 1
}

/** A date may come with a time and an offset, which say nothing here: the days are those of the company. */
const dateOf = (text: string) => text.trim().slice(0, 10)

/** The period that a query asks for. Without dates it is the last 30 days, including today. */
export function readPeriod({ StartDate, EndDate, group = 'day' }: PeriodQuery, today: string): Period {
  const start = StartDate === undefined ? undefined : dateOf(StartDate)
  const to = EndDate === undefined ? (start !== undefined && start > today ? start : today) : dateOf(EndDate)
  const from = start ?? daysAfter(to, 1 - DEFAULT_DAYS)
  for (const [name, day] of [
    ['StartDate', from],
    ['EndDate', to],
  ] as const)
    if (day < FIRST_DAY) throw validationFailed(name, tooEarly(FIRST_DAY))
  if (to < from) throw validationFailed('EndDate', endBeforeStart())
  if (lengthOf({ from, to }) > PERIOD_DAYS_MAX) throw validationFailed('EndDate', periodTooLong(PERIOD_DAYS_MAX))
  return { from, to, group }
}

/** Three months of days are as many as a chart shows. */
const DAYS_SHOWN_MAX = 92

/** The same day a year before. The 29th of February has the 28th before it. */
function yearBefore(day: string): string {
  const before = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`
  return before.endsWith('-02-29') ? before.replace(/29$/, '28') : before
}

/**
 * The period that a query names, and the one that it is compared with: as many days before, and the same days of the year before
 * for the last 12 months, so that as much of the latest month is compared as there is.
 */
export function readRange(
  { range, group, StartDate, EndDate }: RangeQuery,
  today: string,
): { period: Period; before: Period } {
  const isOwn = StartDate !== undefined || EndDate !== undefined
  if (!isOwn && range === '12_months') {
    const [year = 0, month = 0] = today.split('-').map(Number)
    const from = dayOf(Date.UTC(year, month - 12, 1))
    const grouped = { group: group ?? 'month' }
    return {
      period: { from, to: today, ...grouped },
      before: { from: yearBefore(from), to: yearBefore(today), ...grouped },
    }
  }
  const { from, to } =
    !isOwn && range === '7_days'
      ? { from: daysAfter(today, -6), to: today }
      : readPeriod(
          { ...(StartDate === undefined ? {} : { StartDate }), ...(EndDate === undefined ? {} : { EndDate }) },
          today,
        )
  const days = lengthOf({ from, to })
  const grouped = { group: group ?? (days > DAYS_SHOWN_MAX ? 'month' : 'day') }
  return {
    period: { from, to, ...grouped },
    before: { from: daysAfter(from, -days), to: daysAfter(to, -days), ...grouped },
  }
}

const SUNDAY = 0

/** The first day of the group that a day belongs to. Weeks begin on Monday. */
export function groupStart(day: string, group: Group): string {
  if (group === 'day') return day
  if (group === 'month') return `${day.slice(0, 8)}01`
  const weekday = new Date(timeOf(day)).getUTCDay()
  return daysAfter(day, weekday === SUNDAY ? -6 : 1 - weekday)
}

/** How many rows there are for a day, or for the week or month that begins on it. */
export type RowCount = { start: string; rows: number }

/**
 * Parts of a period that follow one another and have about `rowsMax` rows each, or those of one group if that has more. A
 * group is never parted.
 */
export function partsOf({ from, to }: Pick<Period, 'from' | 'to'>, counts: readonly RowCount[], rowsMax: number) {
  const parts: { from: string; to: string }[] = []
  let [begin, sum] = [from, 0]
  for (const { start, rows } of counts) {
    if (sum > 0 && sum + rows > rowsMax) {
      parts.push({ from: begin, to: daysAfter(start, -1) })
      begin = start
      sum = 0
    }
    sum += rows
  }
  return [...parts, { from: begin, to }]
}

type Numbers<Name extends string> = Readonly<Record<Name, number>>

function namesOf<Name extends string>(numbers: Numbers<Name>): Name[] {
  return Object.keys(numbers) as Name[]
}

/** The sums of the numbers of many records. `none` has every name. */
export function totalOf<Name extends string>(none: Numbers<Name>, records: readonly Numbers<NoInfer<Name>>[]) {
  const total: Record<Name, number> = { ...none }
  const names = namesOf(none)
  for (const record of records) for (const name of names) total[name] += record[name]
  return total
}

/** A record for every day, week or month of the period, also where there was nothing, with the start as its date. */
export function recordsOf<Name extends string>(
  none: Numbers<Name>,
  days: readonly (Numbers<NoInfer<Name>> & { date: string })[],
  { from, to, group }: Period,
): (Record<Name, number> & { date: string })[] {
  const names = namesOf(none)
  const records = new Map<string, Record<Name, number> & { date: string }>()
  const end = timeOf(to)
  for (let time = timeOf(from); time <= end; time += DAY_MS) {
    const date = groupStart(dayOf(time), group)
    if (!records.has(date)) records.set(date, { ...none, date })
  }
  for (const day of days) {
    const record: Record<Name, number> | undefined = records.get(groupStart(day.date, group))
    if (record !== undefined) for (const name of names) record[name] += day[name]
  }
  return [...records.values()]
}

export type Devices = Record<OperatingSystem, number>

export const NO_DEVICES: Devices = {
  fire_os: 0,
  chrome_os: 0,
  ios: 0,
  android: 0,
  windows: 0,
  os_x: 0,
  linux: 0,
  unknown: 0,
}

/** The orders of each day by operating system. */
export function deviceDays(origins: readonly OriginDay[]): (Devices & { date: string })[] {
  const isKnown = (value: string): value is OperatingSystem => Object.hasOwn(NO_DEVICES, value)
  return origins.map(({ date, value, order_count }) => ({
    ...NO_DEVICES,
    [isKnown(value) ? value : 'unknown']: order_count,
    date,
  }))
}

/** A site with the visits and orders that its links led to. */
export type Source = { host: string; visits: number; order_count: number; order_amount: number }

/** Sites by what they led to, highest revenue first, then most visits. */
export function sourcesOf(
  visits: readonly Pick<Source, 'host' | 'visits'>[],
  orders: readonly Omit<OriginDay, 'date'>[],
): Source[] {
  const sources = new Map<string, Source>(
    visits.map((each) => [each.host, { ...each, order_count: 0, order_amount: 0 }]),
  )
  for (const { value, order_count, order_amount } of orders) {
    const known = sources.get(value) ?? { host: value, visits: 0 }
    sources.set(value, { ...known, order_count, order_amount })
  }
  return [...sources.values()].sort(
    (one, other) =>
      other.order_amount - one.order_amount || other.visits - one.visits || one.host.localeCompare(other.host),
  )
}

/** A record of subscriptions: how many there were at its end, and what happened in it. */
export type SubscriptionDay = SubscriptionRecord & { date: string; churn_percent: number | null }

type Changes = SubscriptionRecord & { date: string | null }

/** Levels are those at the end of a record; changes without a date came before all of them. */
export function subscriptionRecords(changes: readonly Changes[], period: Period): SubscriptionDay[] {
  const dated = changes.filter((change): change is Changes & { date: string } => change.date !== null)
  let levels: Levels = totalOf(
    NO_LEVELS,
    changes.filter(({ date }) => date === null),
  )
  return recordsOf(NOTHING, dated, period).map((record) => {
    const churn_percent = percentOf(record.ended_count, levels.active_count)
    levels = totalOf(NO_LEVELS, [levels, record])
    return { ...record, ...levels, churn_percent }
  })
}

/** The levels at the end of a period, what happened in all of it, and how many of those at its beginning ended. */
export function subscriptionTotals(changes: readonly Changes[], records: readonly SubscriptionDay[]) {
  const before = totalOf(
    NO_LEVELS,
    changes.filter(({ date }) => date === null),
  )
  const flows = totalOf(NO_FLOWS, records)
  const churn_percent = percentOf(flows.ended_count, before.active_count)
  return { ...totalOf(NO_LEVELS, records.slice(-1)), ...flows, churn_percent }
}

/** A part in percent with two decimals; null if there is no whole. */
export function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 100
}
