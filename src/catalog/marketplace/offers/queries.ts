import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { isFor } from '../queries.ts'
import type { MarketCompany, OfferTaker } from './schema.ts'

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

const companies = prepareList((db: Db, { company }: { company: number }) => {
  const other = sql<Columns<'companies', 'id'> & MarketCompany>`(select other.id,
      case when other.is_known then other.company_name end as company_name
    from (select company.id, company.company_name,
        (exists (select from market_offers as offer
            where offer.company_id = company.id and offer.withdrawn_at is null and ${isFor(company)}
              and not company.company_disabled)
          or exists (select from product_mirrors as mirror
            where mirror.owner_id = ${company} and mirror.company_id = company.id)) as is_known,
        exists (select from market_offers as offer
          where offer.company_id = ${company} and offer.withdrawn_at is null
            and company.id = any(offer.company_ids)) as is_named
      from companies as company where company.id <> ${company}) as other
    where other.is_known or other.is_named)`
  return db.selectFrom(other.as('other')).selectAll()
})

/**
 * The companies that a company knows from the marketplace, or has named in its own offer. The names of those that it does not know
 * stay secret: it could name every id, one after another.
 */
export function listMarketCompanies(db: Db, companyId: number): RowList<MarketCompany> {
  return companies(db, { company: companyId })
}
