import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { raisedVersions } from '#platform/db/versions.ts'
import { errorCode } from '#platform/errors/error-code.ts'
import { numberOf, ORDER_DAYS } from '../statistics/queries.ts'
import { RECORD_FIELDS } from '../statistics/rules.ts'

const BATCH = 5000
const LOCK_NOT_AVAILABLE = '55P03'

const fields = sql.join(RECORD_FIELDS.map((name) => sql.ref(name)))
const sums = sql.join(RECORD_FIELDS.map((name) => sql`sum(${numberOf(name)})`))
const added = sql.join(
  RECORD_FIELDS.map((name) => sql`${sql.ref(name)} = order_days.${sql.ref(name)} + excluded.${sql.ref(name)}`),
)

/**
 * Moves changes of orders into the counts, in one statement: a worker that dies has either moved them or not. The rows are
 * written in the order of their keys, so that two workers cannot block each other. The changes are found by their place in
 * the table: by their key, PostgreSQL compares each with all others if the table was empty when it last looked.
 */
async function fold(tx: Tx, chosen: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ folded: number }>`with taken as (
      delete from order_changes where ctid = any(array(${chosen})) returning *
    ), counts as (
      insert into order_counts
        (company_id, day, financial_status, fulfillment_status, amount, first_id, last_id)
      select company_id, each.day, financial_status, fulfillment_status, sum(amount), min(order_id), max(order_id)
      from taken cross join lateral (values ('-infinity'::date), (utc_day)) as each (day)
      group by company_id, each.day, financial_status, fulfillment_status order by 1, 2, 3, 4
      on conflict (company_id, day, financial_status, fulfillment_status) do update
        set amount = order_counts.amount + excluded.amount,
          first_id = least(order_counts.first_id, excluded.first_id),
          last_id = greatest(order_counts.last_id, excluded.last_id)
    ), days as (
      insert into order_days (company_id, day, ${fields})
      select company_id, day, ${sums} from taken where record is not null
      group by company_id, day order by 1, 2
      on conflict (company_id, day) do update set ${added}
    ), origins as (
      insert into order_origin_days (company_id, day, origin, value, order_count, order_amount)
      select company_id, day, origin, value, sum(${numberOf('order_count')}), sum(${numberOf('order_amount')})
      from taken cross join lateral (values ('source', source_name), ('operating_system', operating_system), ('country', country_code),
        ('referrer', referrer)) as each (origin, value)
      where record is not null
      group by company_id, day, origin, value order by 1, 2, 3, 4
      on conflict (company_id, day, origin, value) do update
        set order_count = order_origin_days.order_count + excluded.order_count,
          order_amount = order_origin_days.order_amount + excluded.order_amount
    ), sold as (
      select company_id, id, day, each.* from taken cross join lateral json_to_recordset(products)
        as each (product_key bigint, product_id text, name text, count bigint, amount bigint)
    ), product_days as (
      insert into order_product_days (company_id, day, product_key, count, amount)
      select company_id, day, product_key, sum(count), sum(amount) from sold
      group by company_id, day, product_key order by 1, 2, 3
      on conflict (company_id, day, product_key) do update
        set count = order_product_days.count + excluded.count, amount = order_product_days.amount + excluded.amount
    ), product_months as (
      insert into order_product_months (company_id, month, product_key, product_id, name, count, amount)
      select company_id, date_trunc('month', day)::date, product_key, (array_agg(product_id order by id desc))[1],
        (array_agg(name order by id desc))[1], sum(count), sum(amount)
      from sold group by 1, 2, 3 order by 1, 2, 3
      on conflict (company_id, month, product_key) do update
        set product_id = excluded.product_id, name = excluded.name,
          count = order_product_months.count + excluded.count,
          amount = order_product_months.amount + excluded.amount
    ), versions_raised as (
      ${raisedVersions(ORDER_DAYS, sql`select company_id from taken`)}
    ) select count(*) as folded from taken`.execute(tx)
  return rows[0]?.folded ?? 0
}

/** Moves the changes of one company into the counts, and returns how many there were. */
export function foldChangesOf(tx: Tx, companyId: number): Promise<number> {
  return fold(tx, sql`select ctid from order_changes where company_id = ${companyId}`)
}

/** Moves a batch of changes into the counts, unless a recount is under way, and returns how many there were. */
async function foldBatch(tx: Tx): Promise<number> {
  // A recount holds this lock from before its first read until its end.
  await sql`lock table order_days in row exclusive mode nowait`.execute(tx)
  return fold(tx, sql`select ctid from order_changes order by company_id, id limit ${BATCH}`)
}

/** Moves all changes of orders into the counts, a batch at a time. */
export async function foldChanges(db: Db): Promise<void> {
  try {
    while ((await inTransaction(db, foldBatch)) === BATCH);
  } catch (error) {
    if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error
  }
}
