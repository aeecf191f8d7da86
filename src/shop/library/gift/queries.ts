import type { Db } from '#platform/db/database.ts'
import { type Part, partOf } from '#shop/catalog-pages/cards.present.ts'
import { readNamedProducts } from '#shop/catalog-pages/queries.ts'
import type { ShopVisit } from '#shop/site/state.ts'

/** The product of a gift as the visitor reads it; undefined if it is gone. */
export async function findGivenPart(db: Db, visit: ShopVisit, productId: string): Promise<Part | undefined> {
  const [row] = await readNamedProducts(db, visit.shop.company_id, [productId])
  return row === undefined ? undefined : partOf(row, visit)
}
