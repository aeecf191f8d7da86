import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'

/** Stores which products are in which categories. Changes of products and of categories both use this. */
export type EntryRow = {
  company_id: number
  id: number
  category_id: number
  product_key: number
  position: number
  created_at: Date
}

export async function insertEntries(tx: Tx, entries: readonly EntryRow[]): Promise<void> {
  if (entries.length === 0) return
  await sql`insert into category_entries (company_id, id, category_id, product_key, product_id, position, created_at)
    select entry.company_id, entry.id, entry.category_id, entry.product_key, products.product_id, entry.position,
      entry.created_at
    from json_populate_recordset(null::category_entries, ${JSON.stringify(entries)}::json) as entry
    join products on products.company_id = entry.company_id and products.id = entry.product_key`.execute(tx)
}

export async function deleteEntries(tx: Tx, companyId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from category_entries where company_id = ${companyId} and id = any(${ids}::bigint[])`.execute(tx)
}

/** Puts the entries of a category in the order of these products. */
export async function orderEntries(
  tx: Tx,
  companyId: number,
  categoryId: number,
  productKeys: readonly number[],
): Promise<void> {
  await sql`update category_entries as entry set position = wanted.position
    from unnest(${productKeys}::bigint[]) with ordinality as wanted (product_key, position)
    where entry.company_id = ${companyId} and entry.category_id = ${categoryId}
      and entry.product_key = wanted.product_key and entry.position <> wanted.position`.execute(tx)
}
