import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import { type Days, planCount } from './rules.ts'

/** Undefined means any status. */
export type Statuses = { financial: string | undefined; fulfillment: string | null | undefined }

/** The day under which the counts of all days are stored. */
const ALL = '-infinity'
const FIRST = '0001-01-01'
const LAST = 'infinity'

/**
 * The counts of a company: those that are stored, and the changes that have not been added yet. Both are read by one
 * statement, so a change is counted once, wherever it is at the moment.
 */
export function countsOf(companyId: number) {
  return sql`(
      select day, financial_status, fulfillment_status, amount, first_id, last_id
      from order_counts where company_id = ${companyId}
      union all
      select utc_day, financial_status, fulfillment_status, amount, order_id, order_id
      from order_changes where company_id = ${companyId}
      union all
      select '-infinity', financial_status, fulfillment_status, amount, order_id, order_id
      from order_changes where company_id = ${companyId}
    ) as counts`
}

/** A count goes through every change that waits: this many take a few milliseconds. */
const CHANGES_MANY = 2000

/** Do more changes wait to be added up than a worker leaves? */
export async function hasManyChanges(db: Db): Promise<boolean> {
  const found = await db.selectFrom('order_changes').select('id').limit(1).offset(CHANGES_MANY).executeTakeFirst()
  return found !== undefined
}

/** A company whose orders have to be counted from scratch. */
export async function findRecount(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('order_recounts').select('company_id').limit(1).executeTakeFirst()
  return row?.company_id
}

function boundsOf(days: Days | null): [string, string] {
  if (days === null) return [LAST, FIRST]
  if (days.from === null && days.to === null) return [ALL, ALL]
  return [days.from ?? FIRST, days.to ?? LAST]
}

/**
 * The orders of the first and last day are found by their time alone, because a day has fewer orders than a status.
 * The status is in a sub-select, so that PostgreSQL does not use its index.
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
        select coalesce(sum(amount), 0) from ${countsOf(companyId)}
        where day between ${from}::date and ${to}::date
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

/** Counts orders by time and status. Only the orders of the first and last day are counted one by one. */
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
 * The first id among the orders since a time. Orders of the same day are compared by time; for later days the stored
 * first id is used. The computation on the id keeps PostgreSQL from scanning all ids for the smallest one.
 */
export function firstIdSince(companyId: number, time: Date) {
  return sql<number>`least(
    (select min(id + 0) from orders where company_id = ${companyId} and created_at >= ${time}::timestamptz
      and created_at < date_trunc('day', ${time}::timestamptz) + interval '1 day'),
    (select min(first_id) from ${countsOf(companyId)} where day > ${time}::timestamptz::date))`
}

/** The last id among the orders until a time. */
export function lastIdUntil(companyId: number, time: Date) {
  return sql<number>`greatest(
    (select max(id + 0) from orders where company_id = ${companyId} and created_at <= ${time}::timestamptz
      and created_at >= date_trunc('day', ${time}::timestamptz)),
    (select max(last_id) from ${countsOf(companyId)} where day > '-infinity' and day < ${time}::timestamptz::date))`
}
