import { sql } from 'kysely'
import { getCorrespondent } from '#identity/companies/queries.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Row } from '#platform/db/expressions.ts'
import type { Place } from '../abandoned/queries.ts'
import { ABANDONED_HOURS } from '../abandoned/rules.ts'
import { cartsOf } from '../queries.ts'
import type { Contents } from '../state.ts'
import { LATE_HOURS } from './rules.ts'
import type { CartToRemind } from './state.ts'

const hours = (count: number) => sql`make_interval(hours => ${count})`

/**
 * Carts of all companies whose customers are to be reminded, oldest first: in shops that are open and whose owners want it, and
 * with an address. Those whose customers have bought with another cart are left out.
 */
export async function listCartsToRemind(
  db: Db,
  now: Date,
  after: Place,
  limit: number,
  only?: number,
): Promise<CartToRemind[]> {
  const { rows } =
    await sql<CartToRemind>`select cart.company_id, cart.id, cart.theme_setting_id, cart.customer_id, cart.lines,
      cart.discount_code, cart.details, cart.country, cart.currency, cart.language, cart.touched_at
    from theme_settings as shop
    join companies as company on company.id = shop.company_id and company.shop_active and not company.company_disabled
    join carts as cart on cart.company_id = shop.company_id and cart.theme_setting_id = shop.id
    where ${only === undefined ? sql`true` : sql`shop.company_id = ${only}`} and shop.cart_reminder_hours is not null and shop.enabled and not shop.shop_offline
      and cart.touched_at <= ${now}::timestamptz - make_interval(hours => shop.cart_reminder_hours)
      and cart.touched_at > ${now}::timestamptz - make_interval(hours => shop.cart_reminder_hours) - ${hours(LATE_HOURS)}
      and cart.reminded_at is null and cart.lines <> '[]'::jsonb
      and (cart.customer_id is not null or cart.details ->> 'email' <> '')
      and (cart.checked_at is null or exists (
        select from abandoned_carts as counted where counted.company_id = cart.company_id and counted.cart_id = cart.id))
      and (cart.touched_at, cart.company_id, cart.id) > (${after.touched_at}, ${after.company_id}, ${after.id})
    order by cart.touched_at, cart.company_id, cart.id limit ${limit}`.execute(db)
  return rows
}

/** When the next cart of a company is left, or its customer is to be reminded, after one time and no later than another. */
export async function findNextLeft(db: Db, companyId: number, after: Date, until: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Row<'carts'>['touched_at'] | null }>`select min(at) as at from (
      select cart.touched_at + make_interval(hours => delay) as at from carts as cart
      left join theme_settings as shop on shop.company_id = cart.company_id and shop.id = cart.theme_setting_id,
      unnest(array[${ABANDONED_HOURS}, shop.cart_reminder_hours]::int[]) as delay
      where cart.company_id = ${companyId} and cart.lines <> '[]'::jsonb) as cart
    where at > ${after} and at <= ${until}`.execute(db)
  return rows[0]?.at ?? undefined
}

/** Locks a cart whose customer is to be reminded. False: somebody has touched it, or another worker was faster. */
export async function lockCartToRemind(tx: Tx, { company_id, id, touched_at }: Place): Promise<boolean> {
  const found = await cartsOf(tx, company_id)
    .select('id')
    .where('id', '=', id)
    .where('touched_at', '=', touched_at)
    .where('reminded_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return found !== undefined
}

/** What is in a cart of a shop, by its id; undefined if it is gone. */
export async function findCart(db: Db, companyId: number, shopId: number, id: number): Promise<Contents | undefined> {
  return cartsOf(db, companyId)
    .select(['lines', 'discount_code', 'details'])
    .$narrowType<Pick<Contents, 'lines' | 'details'>>()
    .where('theme_setting_id', '=', shopId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function readCompanyName(db: Db, companyId: number): Promise<string> {
  return (await getCorrespondent(db, companyId)).company_name
}
