import { REVIEW_TEXT_MAX } from './schema.ts'
import type { ReviewInput } from './state.ts'

/** What is wrong with a review, by field: the last part of a key below `reviews.errors`. */
export type ReviewFaults = { stars?: 'stars'; text?: 'text' | 'long' }

type Sent = { stars: string; text: string; anonymous: string }

/** Reads a form. The name is that of the customer, unless the shop lets customers hide it. */
export function readReview(
  { stars, text, anonymous }: Sent,
  customer: { first_name: string; last_name: string },
  mayHide: boolean,
): { input: ReviewInput; faults: ReviewFaults } {
  const written = text.replace(/\r\n?/g, '\n').trim()
  const faults: ReviewFaults = {}
  if (!/^[1-5]$/.test(stars)) faults.stars = 'stars'
  if (written === '') faults.text = 'text'
  else if (written.length > REVIEW_TEXT_MAX) faults.text = 'long'
  return {
    input: { stars: Number(stars), text: written, name: mayHide && anonymous !== '' ? '' : shortName(customer) },
    faults,
  }
}

/** The first name and an initial, because everybody reads it. */
export function shortName({ first_name, last_name }: { first_name: string; last_name: string }): string {
  const [first, last] = [first_name.trim(), last_name.trim()]
  const initial = [...last][0]
  return [first, initial === undefined ? '' : `${initial.toUpperCase()}.`].filter(Boolean).join(' ').slice(0, 100)
}
