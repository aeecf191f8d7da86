import { sql } from 'kysely'
import type { ChangedTerms } from '#catalog/term-changes/jobs.ts'
import type { Db } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'

/**
 * The keys of products that name any of the terms, in order, after one key. Mirrored products are left out: they change with
 * their originals.
 */
export async function readKeysNaming(
  db: Db,
  companyId: number,
  { price_ids, license_ids }: ChangedTerms,
  after: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<
    Columns<'product_bindings', 'product_key'>
  >`select distinct product_key from product_bindings as binding
    where company_id = ${companyId} and product_key > ${after}
      and (price_id = any(${price_ids}::bigint[]) or compare_price_id = any(${price_ids}::bigint[])
        or license_id = any(${license_ids}::bigint[]))
      and not exists (select from product_mirrors as mirror
        where mirror.company_id = binding.company_id and mirror.product_key = binding.product_key)
    order by product_key limit ${limit}`.execute(db)
  return rows.map(({ product_key }) => product_key)
}
