import { readTrafficDays } from '#insight/visits/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { readOrderDays, readOrderOrigins } from '#selling/orders/statistics/queries.ts'
import { readRefundDays } from '#selling/orders/statistics/refunds.queries.ts'
import { NO_SALES } from '#selling/orders/statistics/rules.ts'
import { readCartDays } from '#shop/checkout/abandoned/queries.ts'
import { daysOf, figuresOf } from './overview.queries.ts'
import type { Reported } from './queries.ts'
import { type Period, totalOf } from './rules.ts'
import type { StatisticsPeriod } from './schema.ts'

/** The figures of a period, and those of the one that it is compared with. Both are read at once. */
export async function readStatisticsPeriod(
  db: Db,
  { id, currency, utc_offset }: Reported,
  period: Period,
  before: Period,
): Promise<StatisticsPeriod> {
  const whole = { from: before.from, to: period.to }
  const [orders, carts, sources, traffic, refunds] = await Promise.all([
    readOrderDays(db, id, whole),
    readCartDays(db, id, whole),
    readOrderOrigins(db, id, 'source', whole),
    readTrafficDays(db, id, whole),
    readRefundDays(db, id, whole, utc_offset),
  ])
  const numbersOf = (days: Period) => {
    const within = ({ date }: { date: string }) => date >= days.from && date <= days.to
    const left = totalOf(NO_SALES, carts.filter(within))
    const read = { orders: orders.filter(within), carts, sources, traffic: traffic.filter(within) }
    return {
      ...figuresOf(read, days),
      left_cart_count: left.order_count,
      left_cart_amount: left.order_amount,
      ...totalOf({ refund_count: 0, refund_amount: 0 }, refunds.filter(within)),
      records: daysOf(read, days),
    }
  }
  return { currency, group: period.group, ...numbersOf(period), before: numbersOf(before) }
}
