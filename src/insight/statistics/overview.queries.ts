import { readReferrers, readTrafficDays } from '#insight/visits/queries.ts'
import { NO_TRAFFIC } from '#insight/visits/rules.ts'
import type { Traffic } from '#insight/visits/state.ts'
import type { Db } from '#platform/db/database.ts'
import { readOrderDays, readOrderOrigins, readProductSales } from '#selling/orders/statistics/queries.ts'
import { type DayRecord, NO_SALES, type OriginDay } from '#selling/orders/statistics/rules.ts'
import { readCartDays } from '#shop/checkout/abandoned/queries.ts'
import type { CartDay } from '#shop/checkout/abandoned/state.ts'
import { presentDate, presentProduct } from './present.ts'
import type { Reported } from './queries.ts'
import { daysAfter, type Period, percentOf, recordsOf, totalOf } from './rules.ts'
import type { Overview, OverviewDay, PeriodFigures } from './schema.ts'

const SHOWN_MAX = 10
/** The longest period, and the same number of days before it. */
const DAYS_READ = 60
const WEEK_DAYS = 7

export type Days = { from: string; to: string }

/** The latest days, until today. */
const latest = (today: string, days: number): Days => ({ from: daysAfter(today, 1 - days), to: today })

/** The same number of days, before these. */
const before = ({ from, to }: Days, days: number): Days => ({ from: daysAfter(from, -days), to: daysAfter(to, -days) })

export type Read = {
  orders: DayRecord[]
  carts: CartDay[]
  sources: OriginDay[]
  traffic: (Traffic & { date: string })[]
}

export function figuresOf({ orders, carts, sources, traffic }: Read, { from, to }: Days): PeriodFigures {
  const within = ({ date }: { date: string }) => date >= from && date <= to
  const { order_count, order_amount, item_count } = totalOf(NO_SALES, orders.filter(within))
  const { visits, visitors } = totalOf(NO_TRAFFIC, traffic.filter(within))
  const shop = sources.filter((day) => within(day) && day.value === 'webshop')
  const shop_order_count = shop.reduce((sum, day) => sum + day.order_count, 0)
  const cart_count = carts.filter(within).reduce((sum, day) => sum + day.carts, 0)
  return {
    start_date: presentDate(from),
    end_date: presentDate(to),
    visits,
    visitors,
    order_count,
    order_amount,
    item_count,
    shop_order_count,
    cart_count,
    visit_to_cart_percent: percentOf(cart_count, visits),
    cart_to_order_percent: percentOf(shop_order_count, cart_count),
    conversion_percent: percentOf(shop_order_count, visits),
  }
}

/** What a chart shows of each day, week or month, oldest first. */
export function daysOf({ orders, traffic }: Read, period: Period): OverviewDay[] {
  const visitsOf = new Map(recordsOf(NO_TRAFFIC, traffic, period).map(({ date, visits }) => [date, visits]))
  return recordsOf(NO_SALES, orders, period).map(({ date, order_count, order_amount }) => ({
    date: presentDate(date),
    order_count,
    order_amount,
    visits: visitsOf.get(date) ?? 0,
  }))
}

/** Orders by where they came from, highest revenue first. */
function byValue(days: readonly OriginDay[]): (Omit<OriginDay, 'date'> & { value: string })[] {
  return [...Map.groupBy(days, ({ value }) => value)]
    .map(([value, ofValue]) => ({ value, ...totalOf({ order_count: 0, order_amount: 0 }, ofValue) }))
    .sort((one, other) => other.order_amount - one.order_amount || other.order_count - one.order_count)
}

/** What an owner looks at first. */
export async function readOverview(db: Db, { id, currency, today }: Reported): Promise<Overview> {
  const month = latest(today, 30)
  const all = latest(today, DAYS_READ)
  const [orders, carts, sources, traffic, products, countries, referrers, visits] = await Promise.all([
    readOrderDays(db, id, all),
    readCartDays(db, id, all),
    readOrderOrigins(db, id, 'source', all),
    readTrafficDays(db, id, all),
    readProductSales(db, id, month, SHOWN_MAX),
    readOrderOrigins(db, id, 'country', month),
    readOrderOrigins(db, id, 'referrer', month),
    readReferrers(db, id, month, SHOWN_MAX),
  ])
  const read = { orders, carts, sources, traffic }
  const compared = (days: number) => {
    const period = latest(today, days)
    return { ...figuresOf(read, period), before: figuresOf(read, before(period, days)) }
  }
  return {
    currency,
    today: compared(1),
    same_day_last_week: figuresOf(read, before(latest(today, 1), WEEK_DAYS)),
    days: daysOf(read, { ...all, group: 'day' }),
    last_7_days: compared(7),
    last_30_days: compared(30),
    products: products.map((product) => presentProduct(product, currency)),
    countries: byValue(countries)
      .slice(0, SHOWN_MAX)
      .map(({ value: country_code, ...numbers }) => ({ country_code, ...numbers })),
    order_referrers: byValue(referrers)
      .slice(0, SHOWN_MAX)
      .map(({ value: host, ...numbers }) => ({ host, ...numbers })),
    visit_referrers: visits,
  }
}
