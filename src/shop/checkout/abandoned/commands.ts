import { sql } from 'kysely'
import { readTimeZone } from '#identity/users/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { dayOf } from '#platform/db/expressions.ts'
import { raisedVersions } from '#platform/db/versions.ts'
import type { SaleRecord } from '#selling/orders/statistics/rules.ts'
import { dayAt } from '#selling/orders/statistics/rules.ts'
import { CART_DAYS, FIELDS, lockLeftCart, sumsOf } from './queries.ts'
import { prunedBefore } from './rules.ts'
import type { LeftCart } from './state.ts'

const columns = sql.join(FIELDS.map((name) => sql.ref(name)))
const negative = sql.join(FIELDS.map((name) => sql`-${sql.ref(name)}`))

/** Counts a cart that was begun. */
export async function countBegunCart(tx: Tx, companyId: number, now: Date): Promise<void> {
  const day = dayAt(now, await readTimeZone(tx, companyId))
  await tx
    .insertInto('cart_changes')
    .values({ company_id: companyId, day: dayOf(day), carts: 1 })
    .execute()
}

/** Counts a cart that was left. Nothing happens if its customer is back, or if another worker has counted it. */
export async function countAbandonedCart(tx: Tx, cart: LeftCart, record: SaleRecord, now: Date): Promise<void> {
  if (!(await lockLeftCart(tx, cart))) return
  const { company_id, id } = cart
  const day = dayAt(cart.touched_at, await readTimeZone(tx, company_id))
  const values = sql.join(FIELDS.map((name) => record[name]))
  await sql`with added as (
      insert into abandoned_carts (company_id, cart_id, day, ${columns})
      values (${company_id}, ${id}, ${day}::date, ${values})
      on conflict do nothing returning *
    )
    insert into cart_changes (company_id, day, ${columns}) select company_id, day, ${columns} from added`.execute(tx)
  await setChecked(tx, company_id, [id], now)
}

/** Takes carts out of the counts again, exactly as they were counted. Lock the carts first. */
export async function takeOutCarts(tx: Tx, companyId: number, ids: readonly number[]): Promise<void> {
  await sql`with gone as (
      delete from abandoned_carts where company_id = ${companyId} and cart_id = any(${[...ids]}::bigint[]) returning *
    )
    insert into cart_changes (company_id, day, ${columns}) select company_id, day, ${negative} from gone`.execute(tx)
}

/** A customer who buys has left no cart in that shop before, on whichever device. Lock the carts first. */
export async function settleCarts(tx: Tx, companyId: number, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await takeOutCarts(tx, companyId, ids)
  await setChecked(tx, companyId, ids, now)
}

/** A cart that was looked at is looked at again after its next touch. */
export async function setChecked(tx: Tx, companyId: number, ids: readonly number[], now: Date): Promise<void> {
  await tx
    .updateTable('carts')
    .set({ checked_at: now })
    .where('company_id', '=', companyId)
    .where('id', 'in', [...ids])
    .execute()
}

/** Adds changes of all companies to the days, and returns how many there were. Two workers take different ones. */
export async function addChangesToDays(tx: Tx, limit: number): Promise<number> {
  const names = ['carts', ...FIELDS]
  const all = sql.join(names.map((name) => sql.ref(name)))
  const sums = sql.join(
    names.map((name) => sql`${sql.ref(name)} = cart_days.${sql.ref(name)} + excluded.${sql.ref(name)}`),
  )
  const { rows } = await sql<{ count: number }>`with chosen as materialized (
      select ctid from cart_changes order by company_id, id limit ${limit} for update skip locked
    ), taken as (
      -- By their key, PostgreSQL would compare each with all others if the table was empty when it last looked.
      delete from cart_changes where ctid = any(array(select chosen.ctid from chosen))
      returning *
    ), added as (
      insert into cart_days (company_id, day, ${all})
      select company_id, day, ${sumsOf(names)} from taken group by company_id, day order by company_id, day
      on conflict (company_id, day) do update set ${sums}
    ), versions_raised as (${raisedVersions(CART_DAYS, sql`select company_id from taken`)})
    select count(*)::int as count from taken`.execute(tx)
  return rows[0]?.count ?? 0
}

/**
 * Corrects the days of a company, so that they agree with the carts that count. The difference is written as a change, by one
 * statement that sees everything at one moment, so nobody has to stop working. How many carts were begun is stored nowhere
 * else and stays.
 */
export async function correctCartDays(tx: Tx, companyId: number): Promise<void> {
  await sql`insert into cart_changes (company_id, day, ${columns})
    select ${companyId}::bigint, day, ${sumsOf(FIELDS)} from (
      select day, ${columns} from abandoned_carts where company_id = ${companyId}
      union all select day, ${negative} from cart_days where company_id = ${companyId}
      union all select day, ${negative} from cart_changes where company_id = ${companyId}
    ) as part
    group by day
    having ${sql.join(
      FIELDS.map((name) => sql`sum(${sql.ref(name)}) <> 0`),
      sql` or `,
    )}`.execute(tx)
}

/** Deletes carts that nobody will come back to, and returns how many. Their counts stay. */
export async function deleteOldCarts(tx: Tx, now: Date, limit: number): Promise<number> {
  const { guests, customers } = prunedBefore(now)
  const { rows } = await sql<{ count: number }>`with old as materialized (
      select company_id, id from carts
      where touched_at < ${guests} and (token_hash is not null or touched_at < ${customers})
        and (checked_at is not null or lines = '[]'::jsonb)
      order by touched_at limit ${limit} for update skip locked
    ), gone as (
      delete from carts using old where carts.company_id = old.company_id and carts.id = old.id returning carts.id
    )
    select count(*)::int as count from gone`.execute(tx)
  return rows[0]?.count ?? 0
}

/** An abandoned cart that is known by its value alone. */
export type NewAbandonedCart = { day: string; record: SaleRecord }

/** Adds days on which carts were begun, and carts that were left, with one statement for each. */
export async function insertAbandonedCarts(
  tx: Tx,
  companyId: number,
  days: readonly { day: string; carts: number }[],
  left: readonly NewAbandonedCart[],
): Promise<void> {
  await sql`insert into cart_changes (company_id, day, carts)
    select ${companyId}::bigint, day, carts
    from json_to_recordset(${JSON.stringify(days)}::json) as given (day date, carts bigint) where carts > 0`.execute(tx)
  const rows = left.map(({ day, record }) => ({ day, ...record }))
  await sql`with added as (
      insert into abandoned_carts (company_id, cart_id, day, ${columns})
      select ${companyId}::bigint, nextval(pg_get_serial_sequence('carts', 'id')), day, ${columns}
      from json_populate_recordset(null::abandoned_carts, ${JSON.stringify(rows)}::json)
      returning *
    )
    insert into cart_changes (company_id, day, ${columns})
    select company_id, day, ${sumsOf(FIELDS)} from added group by company_id, day`.execute(tx)
}
