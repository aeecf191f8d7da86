import type { Rating } from '#selling/reviews/state.ts'

export type ReviewsView = ReturnType<typeof reviewsOf>

/** What buyers say of a product. `url` is the page on which they say it. */
export function reviewsOf(rating: Rating | undefined, url: string) {
  const { count = 0, stars = 0, latest = [] } = rating ?? {}
  const average = count === 0 ? 0 : stars / count
  return {
    count,
    /** With one decimal. */
    average: Math.round(average * 10) / 10,
    /** In whole stars. */
    rounded: Math.round(average),
    latest,
    url,
  }
}

/** The reviews for search engines (schema.org); nothing without any. */
export function reviewData(rating: Rating | undefined) {
  if (rating === undefined) return {}
  return {
    aggregateRating: {
      '@type': 'AggregateRating',
      ratingValue: (rating.stars / rating.count).toFixed(1),
      reviewCount: rating.count,
    },
    review: rating.latest.map(({ name, stars, text, created_at }) => ({
      '@type': 'Review',
      reviewRating: { '@type': 'Rating', ratingValue: stars },
      // Search engines want an author; who is not named is a customer.
      author: { '@type': 'Person', name: name === '' ? 'Customer' : name },
      reviewBody: text,
      datePublished: created_at.toISOString().slice(0, 10),
    })),
  }
}
