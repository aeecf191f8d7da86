import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Row } from '#platform/db/expressions.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare } from '#platform/db/prepared.ts'
import { shippingMethodNotFound } from './errors.ts'
import { POSITION_MAX } from './schema.ts'
import type { PricedMethod, ShippingMethodState } from './state.ts'

export const SHIPPING_METHODS = 'shipping_methods'

/** Every read of shipping methods starts here, so none can forget the company. Deleted ones are left out. */
function shippingMethodsOf(db: Db, companyId: number) {
  return db
    .selectFrom('shipping_methods')
    .where('shipping_methods.company_id', '=', companyId)
    .where('shipping_methods.valid', '=', true)
}

/** All columns, with the shape of those that are stored as JSON. */
const selectAllOf = (db: Db, companyId: number) =>
  shippingMethodsOf(db, companyId).selectAll().$narrowType<Pick<ShippingMethodState, 'weight_rates'>>()

const allOf = prepareList((db: Db, { company }: { company: number }) => selectAllOf(db, company))

export function listShippingMethods(db: Db, companyId: number): RowList<ShippingMethodState> {
  return allOf(db, { company: companyId })
}

const countAfter = prepare((db: Db, companyId: number, after: number) =>
  shippingMethodsOf(db, companyId)
    .where('shipping_methods.id', '>', after)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

/** A company has a few hundred at most, so they are counted in the table. */
export async function countShippingMethods(db: Db, companyId: number, sinceId = 0): Promise<number> {
  const [row] = await countAfter(db, companyId, sinceId)
  return row?.count ?? 0
}

const byId = prepare((db: Db, companyId: number, id: number) =>
  selectAllOf(db, companyId).where('shipping_methods.id', '=', id).compile(),
)

/** A shipping method; another company's is not found. */
export async function getShippingMethod(db: Db, companyId: number, ref: string): Promise<ShippingMethodState> {
  const [method] = /^\d{1,15}$/.test(ref) ? await byId(db, companyId, Number(ref)) : []
  if (method === undefined) throw shippingMethodNotFound(ref)
  return method
}

/** getShippingMethod that locks the row until the transaction ends: do this before deciding on a change. */
export async function lockShippingMethod(tx: Tx, companyId: number, ref: string): Promise<ShippingMethodState> {
  if (!/^\d{1,15}$/.test(ref)) throw shippingMethodNotFound(ref)
  const method = await selectAllOf(tx, companyId)
    .where('shipping_methods.id', '=', Number(ref))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (method === undefined) throw shippingMethodNotFound(ref)
  return method
}

/** How many shipping methods there are, and the position after the last one. */
export async function readEndOfMethods(db: Db, companyId: number): Promise<{ count: number; position: number }> {
  return shippingMethodsOf(db, companyId)
    .select((select) => [
      select.fn.countAll<number>().as('count'),
      sql<
        Row<'shipping_methods'>['position']
      >`least(coalesce(max(shipping_methods.position), 0) + 1, ${POSITION_MAX}::int)`.as('position'),
    ])
    .executeTakeFirstOrThrow()
}

const validMethods = prepare((db: Db, companyId: number) =>
  sql<PricedMethod>`select method.company_id, method.id, method.title, method.price_id, method.weight_rates,
      method.free_from, method.countries,
      method.tracking_company, method.tracking_url, method.partner_id, method.position,
      method.delivery_days_min, method.delivery_days_max, method.valid,
      method.created_at, method.updated_at,
      case when method.price_id is not null then json_build_object(
      'valid', coalesce(price.valid, 0), 'countries', coalesce(price.countries, '[]'),
      'currencies', coalesce(price.currencies, '[]')) end as price,
      (select coalesce(json_agg(json_build_object('id', rated.id, 'valid', rated.valid, 'countries', rated.countries,
          'currencies', rated.currencies)), '[]')
        from prices as rated
        where rated.company_id = method.company_id and rated.id in (
          select (rate ->> 'price_id')::bigint from jsonb_array_elements(method.weight_rates) as rate
        )) as rate_prices
    from shipping_methods as method
    left join prices as price on price.company_id = method.company_id and price.id = method.price_id
    where method.company_id = ${companyId} and method.valid
    order by method.position, method.id`.compile(db),
)

/** The shipping methods of a company in the order in which they are tried, with their prices. */
export function readShippingMethods(db: Db, companyId: number): Promise<PricedMethod[]> {
  return validMethods(db, companyId)
}
