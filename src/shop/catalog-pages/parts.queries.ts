import type { Db } from '#platform/db/database.ts'
import { type OwnedPart, partOf, type Reader } from './cards.present.ts'
import { readNamedProducts } from './queries.ts'

/** Products of a company as a visitor reads them, by their `product_id`. Those that are gone are missing. */
export async function readParts(
  db: Db,
  companyId: number,
  productIds: readonly string[],
  visit: Reader,
): Promise<ReadonlyMap<string, OwnedPart>> {
  const rows = await readNamedProducts(db, companyId, [...new Set(productIds)])
  return new Map(rows.map((row) => [row.product_id, { ...partOf(row, visit), is_protected: row.drm_protected }]))
}
