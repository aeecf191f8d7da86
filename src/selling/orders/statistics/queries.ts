import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import { versionWith } from '#platform/db/versions.ts'
import {
  type DayRecord,
  type Days,
  type Origin,
  type OriginDay,
  type ProductSales,
  RECORD_FIELDS,
  type SaleRecord,
  splitByMonths,
} from './rules.ts'

/**
 * The statistics of orders: what has been added up for each day, and the changes that have not been added yet. Each read is
 * one statement, so a change is counted once, wherever it is at the moment.
 */

/** The version of everything that changes are added up to. */
export const ORDER_DAYS = 'order_days'

/** A number of the record of a change. */
export function numberOf(name: keyof SaleRecord) {
  return sql`record[${sql.lit(RECORD_FIELDS.indexOf(name) + 1)}]`
}

const unpacked = sql.join(RECORD_FIELDS.map(numberOf))
const fields = sql.join(RECORD_FIELDS.map((name) => sql.ref(name)))
const sums = sql.join(RECORD_FIELDS.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))

const days = prepare((db: Db, companyId: number, from: string, to: string) =>
  sql<SaleRecord & { date: string }>`select day::text as date, ${sums} from (
      select day, ${fields} from order_days where company_id = ${companyId}
      union all
      select day, ${unpacked} from order_changes where company_id = ${companyId} and record is not null
    ) as counted
    where day between ${from}::date and ${to}::date group by day order by day`.compile(db),
)

/** The orders of each day; days without any are left out. */
export function readOrderDays(db: Db, companyId: number, { from, to }: Days): Promise<DayRecord[]> {
  return days(db, companyId, from, to)
}

const origins = prepare((db: Db, companyId: number, origin: string, from: string, to: string) =>
  sql<OriginDay>`select day::text as date, value, sum(order_count) as order_count, sum(order_amount) as order_amount
    from (
      select day, origin, value, order_count, order_amount from order_origin_days where company_id = ${companyId}
      union all
      select day, each.origin, each.value, ${numberOf('order_count')}, ${numberOf('order_amount')}
      from order_changes cross join lateral (values ('source', source_name), ('operating_system', operating_system), ('country', country_code),
        ('referrer', referrer)) as each (origin, value)
      where company_id = ${companyId} and record is not null
    ) as counted
    where origin = ${origin}::text and day between ${from}::date and ${to}::date
    group by day, value having sum(order_count) <> 0 or sum(order_amount) <> 0 order by day, value`.compile(db),
)

/** Where the orders of each day came from. An empty value means that it is not known. */
export function readOrderOrigins(db: Db, companyId: number, origin: Origin, { from, to }: Days): Promise<OriginDay[]> {
  return origins(db, companyId, origin, from, to)
}

const originSums = prepare((db: Db, companyId: number, origin: string, from: string, to: string, limit: number) =>
  sql<Omit<OriginDay, 'date'>>`select value, sum(order_count) as order_count, sum(order_amount) as order_amount
    from (
      select value, order_count, order_amount from order_origin_days
      where company_id = ${companyId} and origin = ${origin}::text and day between ${from}::date and ${to}::date
      union all
      select each.value, ${numberOf('order_count')}, ${numberOf('order_amount')}
      from order_changes cross join lateral (values ('country', country_code), ('referrer', referrer)) as each (origin, value)
      where company_id = ${companyId} and record is not null and each.origin = ${origin}::text
        and day between ${from}::date and ${to}::date
    ) as counted
    group by value having sum(order_count) <> 0 or sum(order_amount) <> 0
    order by sum(order_amount) desc, sum(order_count) desc, value limit ${limit}::int`.compile(db),
)

/** Where the orders of a period came from, highest revenue first. An empty value means that it is not known. */
export function readOriginSums(
  db: Db,
  companyId: number,
  origin: 'country' | 'referrer',
  { from, to }: Days,
  limit: number,
): Promise<Omit<OriginDay, 'date'>[]> {
  return originSums(db, companyId, origin, from, to, limit)
}

/**
 * Whole months are read as months, and the days before and after them one by one. A product that was deleted has the name of
 * the last month in which it sold.
 */
const products = prepare(
  (
    db: Db,
    companyId: number,
    from: string,
    to: string,
    firstMonth: string,
    endOfMonths: string,
    headTo: string,
    tailFrom: string,
    limit: number,
  ) =>
    sql<ProductSales>`select counted.product_key,
      coalesce(product.product_id, last.product_id, counted.product_id) as product_id,
      coalesce(product.title, last.name, counted.name) as name, counted.count, counted.amount
    from (
      select product_key, max(month) as last_month, max(product_id) as product_id, max(name) as name, sum(count) as count,
        sum(amount) as amount
      from (
        select month, product_key, null as product_id, null as name, count, amount from order_product_months
        where company_id = ${companyId} and month >= ${firstMonth}::date and month < ${endOfMonths}::date
        union all
        select date_trunc('month', day)::date, product_key, null, null, count, amount from order_product_days
        where company_id = ${companyId} and day between ${from}::date and ${headTo}::date
        union all
        select date_trunc('month', day)::date, product_key, null, null, count, amount from order_product_days
        where company_id = ${companyId} and day between ${tailFrom}::date and ${to}::date
        union all
        select date_trunc('month', day)::date, sold.product_key, sold.product_id, sold.name, sold.count, sold.amount
        from order_changes cross join lateral json_to_recordset(products)
          as sold (product_key bigint, product_id text, name text, count bigint, amount bigint)
        where company_id = ${companyId} and day between ${from}::date and ${to}::date
      ) as parts
      group by product_key having sum(count) <> 0 or sum(amount) <> 0
      order by sum(amount) desc, sum(count) desc, product_key limit ${limit}::int
    ) as counted
    left join products as product on product.company_id = ${companyId} and product.id = counted.product_key
    left join order_product_months as last on product.id is null and last.company_id = ${companyId}
      and last.month = counted.last_month and last.product_key = counted.product_key
    order by counted.amount desc, counted.count desc, counted.product_key`.compile(db),
)

/** How products sold, highest revenue first. A product that was deleted has the name that it was sold under. */
export function readProductSales(
  db: Db,
  companyId: number,
  { from, to }: Days,
  limit: number,
): Promise<ProductSales[]> {
  const { firstMonth, endOfMonths, headTo, tailFrom } = splitByMonths({ from, to })
  return products(db, companyId, from, to, firstMonth, endOfMonths, headTo, tailFrom, limit)
}

/**
 * Is another text whenever the statistics of orders are others. Changes are only added up together with a new version of the
 * days, so within one version their number tells what has been counted.
 */
export function orderStatisticsVersion(companyId: number) {
  return versionWith(companyId, ORDER_DAYS, sql`select count(*) from order_changes where company_id = ${companyId}`)
}
