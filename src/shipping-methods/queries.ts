import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { PricedMethod } from './state.ts'

export const SHIPPING_METHODS = 'shipping_methods'

const validMethods = prepare((db: Db, companyId: number) =>
  sql<PricedMethod>`select method.company_id, method.id, method.title, method.price_id, method.countries,
      method.tracking_company, method.tracking_url, method.partner_id, method.valid, method.created_at,
      case when method.price_id is not null then json_build_object(
      'valid', coalesce(price.valid, 0), 'countries', coalesce(price.countries, '[]'),
      'currencies', coalesce(price.currencies, '[]')) end as price
    from shipping_methods as method
    left join prices as price on price.company_id = method.company_id and price.id = method.price_id
    where method.company_id = ${companyId} and method.valid
    order by method.id`.compile(db),
)

/** The shipping methods of a company, oldest first, with their prices. */
export function readShippingMethods(db: Db, companyId: number): Promise<PricedMethod[]> {
  return validMethods(db, companyId)
}
