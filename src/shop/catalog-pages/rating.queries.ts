import type { Db } from '#platform/db/database.ts'
import { findRating } from '#selling/reviews/queries.ts'
import type { Rating } from '#selling/reviews/state.ts'

/** What buyers say of a product, in shops that take reviews. */
export async function readRating(
  db: Db,
  { company_id, allow_reviews }: { company_id: number; allow_reviews: boolean },
  productKey: number,
): Promise<Rating | undefined> {
  return allow_reviews ? findRating(db, company_id, productKey) : undefined
}
