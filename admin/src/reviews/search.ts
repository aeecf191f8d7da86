import { type Span, spanIn, wordsIn } from '../ui/lists/pages.ts'
import { oneIn } from '../ui/lists/views.ts'

/** Those that wait come first: they need somebody. */
export const STATES = ['waiting', 'approved', 'rejected'] as const

export type ReviewsSearch = Span & {
  state?: 'approved' | 'rejected'
  /** The `product_id` of a product. */
  product?: string
}

/** Reads from the address which reviews are shown. */
export function readReviewsSearch(search: Record<string, unknown>): ReviewsSearch {
  const [state, product] = [oneIn(['approved', 'rejected'] as const, search.state), wordsIn(search.product)]
  return {
    ...(state === undefined ? {} : { state }),
    ...(product === '' ? {} : { product }),
    ...spanIn(search),
  }
}
