import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { productsOf } from '../queries.ts'
import type { StoredLocale } from './rules.ts'

/** The locales of products by their keys; those that are gone are left out. */
export async function readLocales(
  db: Db,
  companyId: number,
  keys: readonly number[],
): Promise<Map<number, StoredLocale[]>> {
  const rows = await productsOf(db, companyId)
    .select(['products.id', 'products.locales'])
    .where('products.id', '=', sql<number>`any(${keys}::bigint[])`)
    .execute()
  return new Map(rows.map(({ id, locales }) => [id, locales as StoredLocale[]]))
}
