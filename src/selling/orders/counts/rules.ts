import { storedStatus } from '../rules.ts'
import type { OrderState } from '../state.ts'
import {
  type ContributingOrder,
  contributionOf,
  dayAt,
  type OperatingSystem,
  operatingSystemOf,
  type ProductSales,
  RECORD_FIELDS,
  referrerOf,
} from '../statistics/rules.ts'

/** A time is whole seconds, and so is the end of a day. */
const DAY_MS = 86_400_000
const LAST_MS = DAY_MS - 1000

/** Days that are counted as a whole, including the first and the last; null means no bound. */
export type Days = { from: string | null; to: string | null }

/** Both ends included. */
export type Span = { from: Date; to: Date }

export type CountPlan = { days: Days | null; spans: Span[] }

type CountedOrder = ContributingOrder &
  Pick<
    OrderState,
    | 'company_id'
    | 'id'
    | 'test'
    | 'created_at'
    | 'utc_offset'
    | 'fulfillment_status'
    | 'country_code'
    | 'source_name'
    | 'visit'
  >

/** How an order is counted: by day and status, and by what it adds to the statistics. */
export type OrderChange = {
  company_id: number
  order_id: number
  /** 1: counted in. -1: counted out, and every number of the record and of the products is negative. */
  amount: 1 | -1
  utc_day: string
  financial_status: string
  /** Empty: not yet shipped. */
  fulfillment_status: string
  day: string
  source_name: string
  operating_system: OperatingSystem
  country_code: string
  referrer: string
  is_test: boolean
  /** The numbers of the record; null if the statistics leave the order out. */
  record: number[] | null
  products: ProductSales[]
}

export function changeOf(order: CountedOrder, amount: 1 | -1): OrderChange {
  const { record, products } = contributionOf(order) ?? { record: null, products: [] }
  return {
    company_id: order.company_id,
    order_id: order.id,
    amount,
    utc_day: dayOf(order.created_at),
    financial_status: order.financial_status,
    fulfillment_status: storedStatus(order) ?? '',
    day: dayAt(order.created_at, order.utc_offset),
    source_name: order.source_name,
    operating_system: operatingSystemOf(order.visit),
    country_code: order.country_code,
    referrer: referrerOf(order.visit),
    is_test: order.test,
    record: record && RECORD_FIELDS.map((name) => record[name] * amount),
    products: products.map(({ count, amount: cents, ...product }) => ({
      ...product,
      count: count * amount,
      amount: cents * amount,
    })),
  }
}

/** What has to be written when an order changes: nothing, if it is counted as before. */
export function changesOf(before: CountedOrder, after: CountedOrder): OrderChange[] {
  const isSame = JSON.stringify(changeOf(before, 1)) === JSON.stringify(changeOf(after, 1))
  return isSame ? [] : [changeOf(before, -1), changeOf(after, 1)]
}

/** The day of a time, as PostgreSQL writes it. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

const startOf = (time: Date) => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS)
const endOf = (time: Date) => new Date(startOf(time).getTime() + LAST_MS)
const dayAfter = (time: Date) => new Date(startOf(time).getTime() + DAY_MS)
const dayBefore = (time: Date) => new Date(startOf(time).getTime() - DAY_MS)

/** Days of other years are not written with four digits, and nothing was sold then. */
const EARLIEST = new Date('0001-01-02T00:00:00Z')
const LATEST = new Date('9999-12-30T23:59:59.999Z')

function bounded(time: Date | undefined): Date | undefined {
  if (time === undefined) return undefined
  if (time < EARLIEST) return EARLIEST
  return time > LATEST ? LATEST : time
}

/**
 * How the orders of a period are counted: whole days by their stored counts, and the rest at either end one by one, so
 * that a longer period does not cost more.
 */
export function planCount(earliest: Date | undefined, latest: Date | undefined): CountPlan {
  const [min, max] = [bounded(earliest), bounded(latest)]
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
