export type ReviewStatus = 'waiting' | 'approved' | 'rejected'

export type ReviewState = {
  company_id: number
  id: number
  product_key: number
  /** Null: the customer was erased. */
  customer_id: number | null
  /** Empty: the customer is not named. */
  name: string
  stars: number
  text: string
  state: ReviewStatus
  created_at: Date
  updated_at: Date
}

/** A review with the ids by which the API names the product and the customer. */
export type ListedReview = ReviewState & { product_id: string; customer_token: string | null }

/** What a customer sends. */
export type ReviewInput = { stars: number; text: string; name: string }

/** What the page of a product shows of its reviews. */
export type Rating = {
  count: number
  /** The sum of all stars. */
  stars: number
  latest: Pick<ReviewState, 'name' | 'stars' | 'text' | 'created_at'>[]
}
