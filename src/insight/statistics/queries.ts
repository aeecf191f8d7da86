import { type RawBuilder, sql } from 'kysely'
import { companyNotFound } from '#identity/companies/errors.ts'
import { trafficVersion } from '#insight/visits/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import { usageStatisticsVersion } from '#rights/entitlements/uses/queries.ts'
import { orderStatisticsVersion } from '#selling/orders/statistics/queries.ts'
import { refundStatisticsVersion } from '#selling/orders/statistics/refunds.queries.ts'
import { dayAt } from '#selling/orders/statistics/rules.ts'
import { subscriptionStatisticsVersion } from '#selling/subscriptions/statistics/queries.ts'
import { cartStatisticsVersion } from '#shop/checkout/abandoned/queries.ts'

/** A company whose numbers are read. */
export type Reported = {
  id: number
  currency: string
  /** The current day in its time zone, as `2026-05-01`. */
  today: string
  /** The offset of its time zone to UTC in minutes. */
  utc_offset: number
  /** Is another text whenever the numbers are others. */
  version: string
}

type Row = Omit<Reported, 'today'>
type ReadRow = (db: Db, readerId: number, id: number) => Promise<Row[]>

/** The own company, or one that names the reader as its partner, and the versions of the numbers that are read of it. */
const reportedWith = (...versions: ((companyId: number) => RawBuilder<unknown>)[]): ReadRow =>
  prepare((db: Db, readerId: number, id: number) =>
    sql<Row>`select id, lower(currency) as currency,
        coalesce((select time_zone from users where users.company_id = companies.id order by users.id limit 1), 0)
          as utc_offset,
        concat_ws(' ', ${sql.join(versions.map((version) => version(id)))}) as version
      from companies where id = ${id} and (id = ${readerId} or partner_id = ${readerId})`.compile(db),
  )

/** What a report is made of. */
export type Numbers =
  | 'traffic'
  | 'orders'
  | 'carts'
  | 'usage'
  | 'sources'
  | 'refunds'
  | 'subscriptions'
  | 'all'
  | 'period'

const readers: Record<Numbers, ReadRow> = {
  traffic: reportedWith(trafficVersion),
  orders: reportedWith(orderStatisticsVersion),
  carts: reportedWith(cartStatisticsVersion),
  usage: reportedWith(usageStatisticsVersion),
  sources: reportedWith(trafficVersion, orderStatisticsVersion),
  refunds: reportedWith(orderStatisticsVersion, refundStatisticsVersion),
  subscriptions: reportedWith(subscriptionStatisticsVersion),
  period: reportedWith(trafficVersion, orderStatisticsVersion, cartStatisticsVersion, refundStatisticsVersion),
  all: reportedWith(trafficVersion, orderStatisticsVersion, cartStatisticsVersion),
}

/** Gets a company for its report. A company that the reader may not see is answered like one that does not exist. */
export async function getReported(
  db: Db,
  readerId: number,
  ref: string,
  numbers: Numbers,
  now: Date,
): Promise<Reported> {
  const [company] = /^\d{1,15}$/.test(ref) ? await readers[numbers](db, readerId, Number(ref)) : []
  if (company === undefined) throw companyNotFound(ref)
  return { ...company, today: dayAt(now, company.utc_offset) }
}
