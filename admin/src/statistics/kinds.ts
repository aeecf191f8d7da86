import type { ReportName } from './search.ts'

export const DEVICES = ['ios', 'android', 'windows', 'os_x', 'linux', 'chrome_os', 'fire_os', 'unknown'] as const

const ORDERS = [
  'order_amount',
  'order_count',
  'item_count',
  'digital_amount',
  'physical_amount',
  'rental_license_amount',
  'international_count',
] as const
const TRAFFIC = ['visits', 'visitors', 'page_views', 'repeating_visitors', 'bounce', 'bots'] as const
const PRODUCTS = ['amount', 'count'] as const
const USE = ['plays', 'started', 'finished', 'minutes', 'downloads'] as const

const SUBSCRIPTIONS = [
  'active_count',
  'recurring_amount',
  'new_count',
  'trial_started_count',
  'trial_converted_count',
  'cancelled_count',
  'ended_count',
  'churn_percent',
  'failed_charge_count',
  'recovered_charge_count',
] as const

export type NumberName =
  | (typeof ORDERS)[number]
  | (typeof TRAFFIC)[number]
  | (typeof PRODUCTS)[number]
  | (typeof USE)[number]
  | (typeof DEVICES)[number]
  | (typeof SUBSCRIPTIONS)[number]

type Kind = {
  /** What a record is of: a day or a month, or a name. */
  first: 'day' | 'product' | 'country'
  /** The numbers of the table; on a phone the first three. */
  columns: readonly NumberName[]
  /** The numbers of the chart: one as a line, the other as bars below it. */
  line: NumberName
  bar: NumberName
  money: ReadonlySet<NumberName>
}

const MONEY: ReadonlySet<NumberName> = new Set<NumberName>([
  'order_amount',
  'digital_amount',
  'physical_amount',
  'rental_license_amount',
  'amount',
  'recurring_amount',
])

/** What is a part of a whole; without a whole there is none. */
export const SHARES: ReadonlySet<NumberName> = new Set<NumberName>(['churn_percent'])

/** How each kind of numbers is drawn and listed. */
export const KINDS: Readonly<Record<ReportName, Kind>> = {
  order: { first: 'day', columns: ORDERS, line: 'order_amount', bar: 'order_count', money: MONEY },
  traffic: { first: 'day', columns: TRAFFIC, line: 'visits', bar: 'page_views', money: MONEY },
  cart: {
    first: 'day',
    columns: ['order_amount', 'order_count', 'item_count'],
    line: 'order_amount',
    bar: 'order_count',
    money: MONEY,
  },
  subscriptions: {
    first: 'day',
    columns: SUBSCRIPTIONS,
    line: 'recurring_amount',
    bar: 'active_count',
    money: MONEY,
  },
  order_devices: { first: 'day', columns: DEVICES, line: 'unknown', bar: 'unknown', money: MONEY },
  order_products: { first: 'product', columns: PRODUCTS, line: 'amount', bar: 'count', money: MONEY },
  usage_products: { first: 'product', columns: USE, line: 'plays', bar: 'minutes', money: MONEY },
  countries: {
    first: 'country',
    columns: ['order_amount', 'order_count'],
    line: 'order_amount',
    bar: 'order_count',
    money: MONEY,
  },
}
