import type { CustomerSession, SignedInCustomer } from '#people/customers/sessions/state.ts'
import type { Db } from '#platform/db/database.ts'
import { findOwnReview, hasBought } from '#selling/reviews/queries.ts'
import { titleFor } from '#shop/catalog-pages/cards.present.ts'
import { readFoundCards } from '#shop/catalog-pages/queries.ts'
import { productPath } from '#shop/site/paths.rules.ts'
import type { ShopVisit } from '#shop/site/state.ts'

/** The customer who reviews. */
export type Reviewer = { customer: SignedInCustomer; session: CustomerSession }

/** The product that is reviewed, as the visitor reads it. */
export type Reviewed = {
  id: number
  title: string
  /** In whatever language its owner wrote it. */
  own_title: string
  url: string
}

/** A product that appears in the shop; undefined if it does not. */
export async function findReviewed(db: Db, visit: ShopVisit, id: number, now: Date): Promise<Reviewed | undefined> {
  const { company_id: companyId, theme_id: themeId } = visit.shop
  const [row] = await readFoundCards(db, { companyId, themeId, ids: [id] }, now)
  if (row === undefined) return undefined
  const title = titleFor(row, visit)
  return { id, title, own_title: row.title, url: `${visit.base}${productPath(id, title)}` }
}

export function mayReview(db: Db, { customer, session }: Reviewer, productKey: number): Promise<boolean> {
  return hasBought(db, session.companyId, customer.token, productKey)
}

/** What the customer wrote before. */
export function findBefore(db: Db, { session: { companyId, customerId } }: Reviewer, productKey: number) {
  return findOwnReview(db, { companyId, customerId, productKey })
}
