import { sql } from 'kysely'
import { shopChanged } from '#history/events/shop-changes.cache.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { takeIds } from '#platform/db/ids.ts'
import type { Author } from '#platform/identity/caller.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { presentReview } from './present.ts'
import { lockReview, REVIEWS } from './queries.ts'
import type { ReviewChange } from './schema.ts'
import type { ListedReview, ReviewInput } from './state.ts'

type Reviewer = { companyId: number; productKey: number; customerId: number }

/** `isWaiting`: the shop shows it when the owner has approved it. */
export type SavedReview = { isNew: boolean; isWaiting: boolean }

/**
 * Stores what a buyer thinks of a product, in the place of what the same buyer wrote before. One that the owner rejected, or has
 * not decided on, waits for the owner in every shop: whoever sends it again must not overrule a decision.
 */
export async function saveReview(
  tx: Tx,
  { companyId, productKey, customerId }: Reviewer,
  { stars, text, name }: ReviewInput,
  needsApproval: boolean,
  now: Date,
): Promise<SavedReview> {
  const { takeRowId } = await takeIds(tx, REVIEWS, 1, 0)
  const state = needsApproval ? 'waiting' : 'approved'
  const { rows } = await sql<Columns<'reviews', 'state'> & { is_new: boolean }>`
    insert into reviews (company_id, id, product_key, customer_id, name, stars, text, state, created_at, updated_at)
    values (${companyId}, ${takeRowId()}, ${productKey}, ${customerId}, ${name}, ${stars}, ${text}, ${state}, ${now}, ${now})
    on conflict (company_id, product_key, customer_id) do update set name = excluded.name, stars = excluded.stars,
      text = excluded.text, updated_at = excluded.updated_at,
      state = case when reviews.state = 'approved' then excluded.state else 'waiting' end
    returning xmax = 0 as is_new, state`.execute(tx)
  await countAgain(tx, companyId, productKey)
  return { isNew: rows[0]?.is_new ?? false, isWaiting: rows[0]?.state === 'waiting' }
}

/** Approves a review, or takes it out of the shop. */
export async function updateReview(
  tx: Tx,
  { companyId }: Pick<Author, 'companyId'>,
  ref: string,
  input: ReviewChange,
  now: Date,
): Promise<Written<ListedReview>> {
  const before = await lockReview(tx, companyId, ref)
  const { state = before.state } = input
  const review = { ...before, state, updated_at: now }
  await tx
    .updateTable('reviews')
    .set({ state, updated_at: now })
    .where('company_id', '=', companyId)
    .where('id', '=', review.id)
    .execute()
  await countAgain(tx, companyId, review.product_key)
  return { state: review, document: asciiJson(presentReview(review)) }
}

export async function deleteReview(tx: Tx, { companyId }: Pick<Author, 'companyId'>, ref: string): Promise<void> {
  const review = await lockReview(tx, companyId, ref)
  await tx.deleteFrom('reviews').where('company_id', '=', companyId).where('id', '=', review.id).execute()
  await countAgain(tx, companyId, review.product_key)
}

/** Leaves the reviews of a customer without a name. */
export async function forgetReviewer(
  tx: Tx,
  { companyId, customerId }: { companyId: number; customerId: number },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('reviews')
    .set({ customer_id: null, name: '' })
    .where('company_id', '=', companyId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) shopChanged(tx, companyId)
}

/** The row is locked before the reviews are counted, so that of two changes the later one counts both. */
async function countAgain(tx: Tx, companyId: number, productKey: number): Promise<void> {
  await sql`insert into product_ratings (company_id, product_key, reviews, stars) values (${companyId}, ${productKey}, 0, 0)
    on conflict (company_id, product_key) do update set reviews = product_ratings.reviews`.execute(tx)
  await sql`update product_ratings as rating set reviews = counted.reviews, stars = counted.stars
    from (select count(*)::int as reviews, coalesce(sum(reviews.stars), 0)::int as stars from reviews
      where reviews.company_id = ${companyId} and reviews.product_key = ${productKey}
        and reviews.state = 'approved') as counted
    where rating.company_id = ${companyId} and rating.product_key = ${productKey}`.execute(tx)
  shopChanged(tx, companyId)
}
