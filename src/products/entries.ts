import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'

/** Stores which products are in which categories. Changes of products and of categories both use this. */
export type EntryRow = { company_id: number; id: number; category_id: number; product_key: number; created_at: Date }

export async function insertEntries(tx: Tx, entries: readonly EntryRow[]): Promise<void> {
  if (entries.length === 0) return
  await sql`insert into category_entries (company_id, id, category_id, product_key, created_at)
    select company_id, id, category_id, product_key, created_at
    from json_populate_recordset(null::category_entries, ${JSON.stringify(entries)}::json)`.execute(tx)
}

export async function deleteEntries(tx: Tx, companyId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from category_entries where company_id = ${companyId} and id = any(${ids}::bigint[])`.execute(tx)
}
