import { sql } from 'kysely'
import { termsOfLicense } from '#catalog/licenses/terms.queries.ts'
import type { Db } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import { notForSaleBecause } from '../lists/appearance.queries.ts'
import type { ForSale } from './state.ts'
import { isTitleKnown } from './titles.queries.ts'

/**
 * In a sub-select PostgreSQL does not see the number of products, so it keeps one plan for any number. Planning took
 * three times as long as reading.
 */
const forSale = prepare((db: Db, companyId: number, keys: number[], productIds: string[], now: Date) =>
  sql<ForSale>`select products.id, products.product_id, products.title, products.version, products.product_type,
      products.gtin, products.weight, products.manage_stock, products.tax_class, products.published_at,
      products.pre_sales, products.has_content,
      ${notForSaleBecause(now)} as not_for_sale, ${isTitleKnown} as is_title_known,
      case when mirror.owner_id is not null then json_build_object('owner_id', mirror.owner_id,
        'original_key', mirror.original_key, 'percent', mirror.cost_to_licensees_percent) end as share,
      case when json_array_length(products.included) > 0 then (
        select json_agg(json_build_object('id', part.id, 'company_id', part.company_id, 'product_id', part.product_id,
          'title', part.title, 'product_type', part.product_type, 'published_at', part.published_at, 'has_content', part.has_content,
          'content_company_id', coalesce(source.owner_id, part.company_id),
          'content_key', coalesce(source.original_key, part.id)) order by entry.position)
        from json_array_elements(products.included) with ordinality as entry (included, position)
        join products as part on part.company_id = coalesce(mirror.owner_id, products.company_id)
          and part.product_id = entry.included ->> 'product_id'
        left join product_mirrors as source
          on source.company_id = part.company_id and source.product_key = part.id) end as parts,
      coalesce((
        select json_agg(json_build_object('license_id', binding.license_id, 'hd', binding.hd,
          'audio_type', binding.audio_type, 'num_users', binding.num_users,
          'license', case when license.id is not null then json_build_object('id', license.id, 'name', license.name,
            'valid', license.valid, 'tax_handling', license.tax_handling, 'physical', license.physical,
            'physical_weight', license.physical_weight, 'physical_weight_type', license.physical_weight_type,
            'locales', license.locales, 'restriction_country', license.restriction_country,
            'terms', ${termsOfLicense},
            'restriction_dvd_region', license.restriction_dvd_region,
            'restriction_video_norm', license.restriction_video_norm) end,
          'price', case when price.id is not null then json_build_object('valid', price.valid,
            'countries', price.countries, 'currencies', price.currencies) end) order by binding.position)
        from product_bindings as binding
        left join licenses as license on license.id = binding.license_id
          and license.company_id in (0, coalesce(mirror.owner_id, binding.company_id))
        left join prices as price on price.id = binding.price_id
          and price.company_id = coalesce(mirror.owner_id, binding.company_id)
        where binding.company_id = products.company_id and binding.product_key = products.id), '[]') as bindings
    from products
    left join product_mirrors as mirror
      on mirror.company_id = products.company_id and mirror.product_key = products.id
    where products.company_id = ${companyId}
      and (products.id = any((select ${keys}::bigint[])::bigint[])
        or products.product_id = any((select ${productIds}::text[])::text[]))`.compile(db),
)

/**
 * Reads products by id or `product_id` for a sale, with the licenses and prices of their bindings, in one statement. A
 * mirrored product is sold under the terms of its owner.
 */
export async function readForSale(
  db: Db,
  companyId: number,
  refs: readonly string[],
  now: Date,
): Promise<Map<string, ForSale>> {
  const keys = refs.filter((ref) => /^\d{1,15}$/.test(ref)).map(Number)
  const productIds = refs.filter((ref) => /^[\dA-F-]{1,50}$/i.test(ref)).map((ref) => ref.toUpperCase())
  const rows = await forSale(db, companyId, keys, productIds, now)
  const byRef = new Map(rows.flatMap((row) => [[String(row.id), row] as const, [row.product_id, row] as const]))
  return new Map(
    refs.flatMap((ref) => {
      const row = byRef.get(ref.toUpperCase()) ?? byRef.get(String(Number(ref)))
      return row === undefined ? [] : [[ref, row] as const]
    }),
  )
}
