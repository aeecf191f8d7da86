import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { Days } from './rules.ts'

/**
 * The statistics of refunds. They are read from the refunds themselves, by time: few orders are refunded, so a year of them is
 * fewer rows than a day of orders.
 */

export type RefundDay = { date: string; refund_count: number; refund_amount: number }

export type RefundReason = { reason: string; refund_count: number; refund_amount: number }

const REASON_MAX = 200

/** The first moment of a day at an offset to UTC in minutes. */
const startOf = (day: RawBuilder<unknown>, offset: number) =>
  sql`((${day})::timestamp - ${offset}::int * interval '1 minute') at time zone 'UTC'`

/**
 * The refunds of some days, in the days of the company. Tests outside of sandboxes, and money that could not be returned, are left
 * out.
 */
const ofDays = (companyId: number, from: string, to: string, offset: number) =>
  sql`from refunds join orders on orders.company_id = refunds.company_id and orders.id = refunds.order_id
    where refunds.company_id = ${companyId} and refunds.status <> 'failure'
      and (not orders.test or exists (select from test_clocks where test_clocks.company_id = ${companyId}))
      and refunds.created_at >= ${startOf(sql`${from}::date`, offset)}
      and refunds.created_at < ${startOf(sql`${to}::date + 1`, offset)}`

const sums = sql`count(*) as refund_count, coalesce(sum(refunds.home_cents), 0) as refund_amount`

const days = prepare((db: Db, companyId: number, from: string, to: string, offset: number) =>
  sql<RefundDay>`select (refunds.created_at at time zone 'UTC' + ${offset}::int * interval '1 minute')::date::text as date,
      ${sums}
    ${ofDays(companyId, from, to, offset)} group by 1 order by 1`.compile(db),
)

/** What was paid back on each day; days without a refund are left out. */
export function readRefundDays(db: Db, companyId: number, { from, to }: Days, offset: number): Promise<RefundDay[]> {
  return days(db, companyId, from, to, offset)
}

const reasons = prepare((db: Db, companyId: number, from: string, to: string, offset: number, limit: number) =>
  sql<RefundReason>`select left(btrim(coalesce(refunds.note, '')), ${sql.lit(REASON_MAX)}) as reason, ${sums}
    ${ofDays(companyId, from, to, offset)} group by 1 order by refund_amount desc, refund_count desc, reason
    limit ${limit}::int`.compile(db),
)

/** Why money was paid back, in the words of the notes, the highest sum first. An empty reason: nobody gave one. */
export function readRefundReasons(
  db: Db,
  companyId: number,
  { from, to }: Days,
  offset: number,
  limit: number,
): Promise<RefundReason[]> {
  return reasons(db, companyId, from, to, offset, limit)
}

/**
 * Is another text whenever there is another refund. Whether the money could be returned is known later: that shows when a
 * report is made again.
 */
export function refundStatisticsVersion(companyId: number) {
  return sql`concat((select max(id) from refunds where company_id = ${companyId}), '')`
}
