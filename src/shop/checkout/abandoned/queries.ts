import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { condition, type Row } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import { versionWith } from '#platform/db/versions.ts'
import { NO_SALES, type SaleRecord } from '#selling/orders/statistics/rules.ts'
import { cartsOf } from '../queries.ts'
import type { Contents } from '../state.ts'
import type { CartDay, LeftCart } from './state.ts'

/** The columns of a record, in one order. */
export const FIELDS = Object.keys(NO_SALES) as (keyof SaleRecord)[]

/** `sum(order_count)::float8 as order_count, …` */
export const sumsOf = (names: readonly string[]) =>
  sql.join(names.map((name) => sql`sum(${sql.ref(name)})::float8 as ${sql.ref(name)}`))

/**
 * The days of a company on which carts were begun or abandoned, both ends included. Changes that were not added to the days
 * yet are part of it, so that it is never behind.
 */
export async function readCartDays(
  db: Db,
  companyId: number,
  { from, to }: { from: string; to: string },
): Promise<CartDay[]> {
  const names = ['carts', ...FIELDS]
  const columns = sql.join(names.map((name) => sql.ref(name)))
  const { rows } = await sql<CartDay>`select day::text as date, ${sumsOf(names)}
    from (
      select day, ${columns} from cart_days where company_id = ${companyId} and day between ${from}::date and ${to}::date
      union all
      select day, ${columns} from cart_changes
      where company_id = ${companyId} and day between ${from}::date and ${to}::date
    ) as part
    group by day
    having ${sql.join(
      names.map((name) => sql`sum(${sql.ref(name)}) <> 0`),
      sql` or `,
    )}
    order by day`.execute(db)
  return rows
}

/** The version of the days that changes of carts are added to. */
export const CART_DAYS = 'cart_days'

/** Is another text whenever the statistics of carts are others: changes are only taken together with a new version. */
export function cartStatisticsVersion(companyId: number) {
  return versionWith(companyId, CART_DAYS, sql`select count(*) from cart_changes where company_id = ${companyId}`)
}

/** A place in the list of carts that were left. */
export type Place = Pick<LeftCart, 'touched_at' | 'company_id' | 'id'>

export const FIRST_PLACE: Place = { touched_at: new Date(0), company_id: 0, id: 0 }

/** Carts of all companies that nobody has touched since before a time and that were not looked at since, oldest first. */
export function listLeftCarts(db: Db, before: Date, after: Place, limit: number, only?: number): Promise<LeftCart[]> {
  return db
    .selectFrom('carts')
    .select(['company_id', 'id', 'theme_setting_id', 'lines', 'discount_code', 'details'])
    .select(['country', 'currency', 'touched_at'])
    .$narrowType<Pick<Contents, 'lines' | 'details'>>()
    .$if(only !== undefined, (carts) => carts.where('company_id', '=', only ?? 0))
    .where('checked_at', 'is', null)
    .where(condition`lines <> '[]'::jsonb`)
    .where('touched_at', '<=', before)
    .where(condition`(touched_at, company_id, id) > (${after.touched_at}, ${after.company_id}, ${after.id})`)
    .orderBy('touched_at')
    .orderBy('company_id')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Locks a cart that was left. False: somebody has touched it, or another worker has looked at it. */
export async function lockLeftCart(tx: Tx, { company_id, id, touched_at }: Place): Promise<boolean> {
  const found = await cartsOf(tx, company_id)
    .select('id')
    .where('id', '=', id)
    .where('touched_at', '=', touched_at)
    .where('checked_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return found !== undefined
}

/** Each of the two ways to a cart has an index. The sub-selects keep PostgreSQL from making a new plan for every customer. */
const selectOfBuyer = prepare((tx: Tx, companyId: number, shopId: number, email: string) => {
  const ofShop = cartsOf(tx, companyId).select('carts.id').where('theme_setting_id', '=', shopId)
  const account = sql<
    Row<'customers'>['id']
  >`(select customers.id from customers where lower(customers.email) = lower(${email}::text))`
  const ofCustomer = ofShop.where('customer_id', '=', account)
  const ofEmail = ofShop
    .where(condition`details ->> 'email' <> ''`)
    .where(condition`lower(details ->> 'email') = (select lower(${email}::text))`)
  return cartsOf(tx, companyId)
    .select('carts.id')
    .where(condition`carts.id = any(array(${ofCustomer} union all ${ofEmail}))`)
    .orderBy('carts.id')
    .forNoKeyUpdate()
    .skipLocked()
    .compile()
})

/**
 * Locks the carts of a customer in a shop, found by the customer's account or by the address that was entered at checkout. A
 * cart that is being changed or bought at the moment is left to those who do that: two purchases of one customer would block
 * each other.
 */
export async function lockCartsOfBuyer(
  tx: Tx,
  { companyId, shopId }: { companyId: number; shopId: number },
  email: string,
): Promise<number[]> {
  const rows = await selectOfBuyer(tx, companyId, shopId, email)
  return rows.map(({ id }) => id)
}
