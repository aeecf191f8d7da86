import type { Db } from '#platform/db/database.ts'
import { findSentGift } from '#rights/redemption-codes/gifts/queries.ts'
import { type Part, partOf } from '#shop/catalog-pages/cards.present.ts'
import { readNamedProducts } from '#shop/catalog-pages/queries.ts'
import type { ShopVisit } from '#shop/site/state.ts'

/** The product of a gift as the visitor reads it; undefined if it is gone. */
export async function findGivenPart(db: Db, visit: ShopVisit, productId: string): Promise<Part | undefined> {
  const [row] = await readNamedProducts(db, visit.shop.company_id, [productId])
  return row === undefined ? undefined : partOf(row, visit)
}

/** A gift of the shop's company, by its id; undefined if there is none that was mailed. */
export function findGift(db: Db, { shop }: ShopVisit, id: number | undefined) {
  return id === undefined ? undefined : findSentGift(db, shop.company_id, id)
}
