import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import { type Days, planCount } from './rules.ts'

/** Undefined: any. */
export type Statuses = { financial: string | undefined; fulfillment: string | null | undefined }

/** Under which all days are kept. */
const ALL = '-infinity'
const FIRST = '0001-01-01'
const LAST = 'infinity'

function boundsOf(days: Days | null): [string, string] {
  if (days === null) return [LAST, FIRST]
  if (days.from === null && days.to === null) return [ALL, ALL]
  return [days.from ?? FIRST, days.to ?? LAST]
}

/**
 * The orders of the first and last day are found by their time alone, because there are fewer of a day than of a status:
 * PostgreSQL does not see the status in a sub-select, and does not try its index.
 */
const countOf = prepare(
  (
    db: Db,
    companyId: number,
    from: string,
    to: string,
    firsts: Date[],
    lasts: Date[],
    financial: string | null,
    fulfillment: string | null,
  ) =>
    sql<{ count: number }>`select (
        select coalesce(sum(amount), 0) from order_counts
        where company_id = ${companyId} and day between ${from}::date and ${to}::date
          and (${financial}::text is null or financial_status = ${financial}::text)
          and (${fulfillment}::text is null or fulfillment_status = ${fulfillment}::text)
      ) + (
        select coalesce(sum(part.amount), 0)
        from unnest(${firsts}::timestamptz[], ${lasts}::timestamptz[]) as span (first, last)
        cross join lateral (
          select count(*) as amount from orders
          where company_id = ${companyId} and created_at between span.first and span.last
            and financial_status = coalesce((select ${financial}::text), financial_status)
            and coalesce(fulfillment_status, '') = coalesce((select ${fulfillment}::text), fulfillment_status, '')
        ) as part
      ) as count`.compile(db),
)

/** How many orders there are, by time and status, without counting more of them than those of the first and last day. */
export async function readCount(
  db: Db,
  companyId: number,
  { financial, fulfillment }: Statuses,
  min: Date | undefined,
  max: Date | undefined,
): Promise<number> {
  const { days, spans } = planCount(min, max)
  const [row] = await countOf(
    db,
    companyId,
    ...boundsOf(days),
    spans.map(({ from }) => from),
    spans.map(({ to }) => to),
    financial ?? null,
    fulfillment === undefined ? null : (fulfillment ?? ''),
  )
  return row?.count ?? 0
}

/**
 * The first id among the orders since a time: of its own day by their times, of the days after it as it is kept. What is
 * computed of an id keeps PostgreSQL from walking through all ids for the smallest one.
 */
export function firstIdSince(companyId: number, time: Date) {
  return sql<number>`least(
    (select min(id + 0) from orders where company_id = ${companyId} and created_at >= ${time}::timestamptz
      and created_at < date_trunc('day', ${time}::timestamptz) + interval '1 day'),
    (select min(first_id) from order_counts where company_id = ${companyId} and day > ${time}::timestamptz::date))`
}

/** The last id among the orders until a time. */
export function lastIdUntil(companyId: number, time: Date) {
  return sql<number>`greatest(
    (select max(id + 0) from orders where company_id = ${companyId} and created_at <= ${time}::timestamptz
      and created_at >= date_trunc('day', ${time}::timestamptz)),
    (select max(last_id) from order_counts
      where company_id = ${companyId} and day > '-infinity' and day < ${time}::timestamptz::date))`
}
