import { wireTime } from '#platform/wire/times.ts'
import type { Review } from './schema.ts'
import type { ListedReview } from './state.ts'

/** A review as the API shows it. It is presented when it is read: reviews are few, and few read them. */
export function presentReview(review: ListedReview): Review {
  return {
    id: review.id,
    product_id: review.product_id,
    customer_token: review.customer_token,
    name: review.name,
    stars: review.stars,
    text: review.text,
    state: review.state,
    created_at: wireTime(review.created_at),
    updated_at: wireTime(review.updated_at),
  }
}
