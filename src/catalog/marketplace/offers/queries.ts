import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import type { OfferTaker } from './schema.ts'

/** The companies that have products of an owner, by their ids. */
export async function readTakers(db: Db, ownerId: number): Promise<OfferTaker[]> {
  const { rows } = await sql<
    Columns<'companies', 'id' | 'company_name'> & OfferTaker
  >`select taker.id, taker.company_name, count(*) as product_count,
      count(*) filter (where product.published and product.valid) as published_count,
      min(mirror.cost_to_licensees_percent) as percent_min, max(mirror.cost_to_licensees_percent) as percent_max
    from product_mirrors as mirror
    join companies as taker on taker.id = mirror.company_id
    join products as product on product.company_id = mirror.company_id and product.id = mirror.product_key
    where mirror.owner_id = ${ownerId}
    group by taker.id order by taker.id`.execute(db)
  return rows
}
