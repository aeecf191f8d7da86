import { sql } from 'kysely'
import { mirrorsOf } from '#catalog/products/mirrors/queries.ts'
import { productsOf } from '#catalog/products/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { anyOf } from '#platform/db/expressions.ts'

/** The mirrors that a company has of an owner's products, by the key of the original. */
export async function findMirrors(
  db: Db,
  companyId: number,
  ownerId: number,
  originals: number[],
): Promise<Map<number, number>> {
  const rows = await mirrorsOf(db, companyId)
    .select(['product_key', 'original_key'])
    .where('owner_id', '=', ownerId)
    .where('original_key', '=', anyOf(originals))
    .execute()
  return new Map(rows.map(({ original_key, product_key }) => [original_key, product_key]))
}

export async function readDocuments(db: Db, companyId: number, keys: number[]): Promise<Map<number, string>> {
  const rows = await productsOf(db, companyId)
    .select(['products.id', 'products.document'])
    .where('products.id', '=', anyOf(keys))
    .execute()
  return new Map(rows.map(({ id, document }) => [id, document]))
}

/** The number of changed originals whose mirrors are not updated yet, by owner, for the operator. */
export async function readWaitingChanges(db: Db): Promise<Map<number, number>> {
  const { rows } = await sql<{ company_id: number; waiting: number }>`
    select company_id, count(*) as waiting from original_changes group by company_id order by company_id`.execute(db)
  return new Map(rows.map(({ company_id, waiting }) => [company_id, waiting]))
}
