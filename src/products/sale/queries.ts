import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { ForSale } from './state.ts'

/**
 * The marketplace is asked by its table, because it comes after products. PostgreSQL does not look into a sub-select for
 * how many are named, and so keeps one plan for any number: planning anew took three times as long as reading.
 */
const forSale = prepare((db: Db, companyId: number, keys: number[], productIds: string[]) =>
  sql<ForSale>`select product.id, product.product_id, product.title, product.version, product.product_type,
      product.gtin, product.weight, product.manage_stock, product.published, product.published_at,
      product.pre_sales,
      product.valid and (mirror.owner_id is null or exists (
        select from market_offers as offer where offer.company_id = mirror.owner_id and offer.withdrawn_at is null)
        and exists (select from products as original
          where original.company_id = mirror.owner_id and original.id = mirror.original_key)) as valid,
      case when mirror.owner_id is not null then json_build_object('owner_id', mirror.owner_id,
        'original_key', mirror.original_key, 'percent', mirror.cost_to_licensees_percent) end as share,
      coalesce((
        select json_agg(json_build_object('license_id', binding.license_id, 'hd', binding.hd,
          'license', case when license.id is not null then json_build_object('id', license.id, 'name', license.name,
            'valid', license.valid, 'tax_handling', license.tax_handling, 'physical', license.physical,
            'locales', license.locales, 'restriction_country', license.restriction_country,
            'restriction_dvd_region', license.restriction_dvd_region,
            'restriction_video_norm', license.restriction_video_norm) end,
          'price', case when price.id is not null then json_build_object('valid', price.valid,
            'countries', price.countries, 'currencies', price.currencies) end) order by binding.position)
        from product_bindings as binding
        left join licenses as license on license.id = binding.license_id
          and license.company_id in (0, coalesce(mirror.owner_id, binding.company_id))
        left join prices as price on price.id = binding.price_id
          and price.company_id = coalesce(mirror.owner_id, binding.company_id)
        where binding.company_id = product.company_id and binding.product_key = product.id), '[]') as bindings
    from products as product
    left join product_mirrors as mirror
      on mirror.company_id = product.company_id and mirror.product_key = product.id
    where product.company_id = ${companyId}
      and (product.id = any((select ${keys}::bigint[])::bigint[])
        or product.product_id = any((select ${productIds}::text[])::text[]))`.compile(db),
)

/**
 * What a sale needs to know of products that are named by id or `product_id`, with the licenses and prices of their
 * bindings, in one statement. A mirrored product is sold under the terms of its owner, and as long as that one offers it.
 */
export async function readForSale(db: Db, companyId: number, refs: readonly string[]): Promise<Map<string, ForSale>> {
  const keys = refs.filter((ref) => /^\d{1,15}$/.test(ref)).map(Number)
  const productIds = refs.filter((ref) => ref.includes('-')).map((ref) => ref.toUpperCase())
  const rows = await forSale(db, companyId, keys, productIds)
  const byRef = new Map(rows.flatMap((row) => [[String(row.id), row] as const, [row.product_id, row] as const]))
  return new Map(
    refs.flatMap((ref) => {
      const row = byRef.get(ref.toUpperCase()) ?? byRef.get(String(Number(ref)))
      return row === undefined ? [] : [[ref, row] as const]
    }),
  )
}
