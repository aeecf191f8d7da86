import { sql } from 'kysely'
import { hasCompleteTerms } from '#catalog/products/lists/appearance.queries.ts'
import { hasWords } from '#catalog/products/lists/filters.queries.ts'
import type { Db } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import type { Optional } from '#platform/db/filters.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { marketProductNotFound } from '../errors.ts'
import { isFor, isSelected, shop } from '../queries.ts'
import type { MarketParts, MarketProductRow } from './state.ts'

const terms = sql`coalesce((
  select json_agg(json_build_object(
    'license', case when license.id is not null
      then json_build_object('name', license.name, 'locales', license.locales) end,
    'currencies', price.currencies, 'countries', price.countries) order by binding.position)
  from product_bindings as binding
  join prices as price on price.company_id = binding.company_id and price.id = binding.price_id
  left join licenses as license on license.id = binding.license_id and license.company_id in (0, binding.company_id)
  where binding.company_id = products.company_id and binding.product_key = products.id), '[]')`

export type MarketFilters = Optional<{ q: string; product_type: number; market_id: number }>
type Given = MarketFilters & { company: number }
type Shown = 'id' | 'company_id' | 'title' | 'product_type' | 'document'

const offered = prepareList((db: Db, { company, q, product_type, market_id }: Given) => {
  const product = sql<
    Columns<'products', Shown> & MarketParts
  >`(select products.id, products.company_id, products.title, products.product_type,
      products.document, offer.id as market_id, owner.company_name, offer.cost_to_licensees_percent, ${terms} as terms,
      (select reader.language from companies as reader where reader.id = ${company}) as language,
      (select json_build_object('id', own.id, 'published', own.published) from product_mirrors as mirror
        join products as own on own.company_id = mirror.company_id and own.id = mirror.product_key
        where mirror.company_id = ${company} and mirror.owner_id = products.company_id
          and mirror.original_key = products.id) as mirror
    from market_offers as offer
    join companies as owner on owner.id = offer.company_id
    left join ${shop} as shop on true
    join products on products.company_id = offer.company_id
    where offer.withdrawn_at is null and ${isFor(company)} and ${hasCompleteTerms}
      and ${isSelected(sql.ref('shop.theme_id'), sql.ref('offer.category_ids'))})`
  let products = db
    .selectFrom(product.as('products'))
    .selectAll()
    .where(
      'company_id',
      'in',
      sql<Columns<'companies', 'id'>['id']>`(select other.id from companies as other
      where other.id <> ${company} and not other.company_disabled)`,
    )
  if (q !== undefined) products = products.where(hasWords('title', q))
  if (product_type !== undefined) products = products.where('product_type', '=', product_type)
  if (market_id !== undefined) products = products.where('market_id', '=', market_id)
  return products
})

/** The products that other companies offer, to one that looks for some. */
export function listMarketProducts(db: Db, companyId: number, filters: MarketFilters): RowList<MarketProductRow> {
  const { q, product_type, market_id } = filters
  return offered(db, { company: companyId, q: q?.trim() || undefined, product_type, market_id })
}

/** One of these products. What is not offered, or is the company's own, is not found. */
export async function getMarketProduct(db: Db, companyId: number, ref: string): Promise<MarketProductRow> {
  const id = /^\d{1,15}$/.test(ref) ? Number(ref) : 0
  const span = { after: id - 1, before: id + 1, limit: 1, offset: 0 }
  const [product] = id === 0 ? [] : await listMarketProducts(db, companyId, {})(span)
  if (product === undefined) throw marketProductNotFound(ref)
  return product
}
