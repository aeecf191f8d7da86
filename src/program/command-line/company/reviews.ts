import { type Command, Option } from 'commander'
import { updateReview } from '#selling/reviews/commands.ts'
import { presentReview } from '#selling/reviews/present.ts'
import { readReviews } from '#selling/reviews/queries.ts'
import { REVIEW_STATES } from '#selling/reviews/schema.ts'
import { print, type Terminal, wholeNumber } from '../program.ts'
import { table } from '../terminal/table.ts'
import { change, group, type Options, ofCompany, read } from './terms.ts'

const TEXT_MAX = 60
const id = wholeNumber(1, Number.MAX_SAFE_INTEGER)
const shortened = (text: string) => {
  const line = text.replace(/\s+/g, ' ')
  return line.length > TEXT_MAX ? `${line.slice(0, TEXT_MAX - 1)}…` : line
}

export function addReviews(program: Command, terminal: Terminal): void {
  const reviews = group(program, 'reviews', 'What buyers think of products.')

  ofCompany(reviews, 'list', 'List reviews, the latest first; 100 at most.')
    .addOption(new Option('--state <state>', 'only those in this state').choices(REVIEW_STATES))
    .action(async ({ company, json, state }: Options & { state?: string }) => {
      const rows = await read(terminal, company, (db) => readReviews(db, company, state))
      const found = rows.map(presentReview)
      const text = table(found, 'There are no reviews.', {
        Id: (review) => review.id,
        State: (review) => review.state,
        Stars: (review) => review.stars,
        Product: (review) => review.product_id,
        Name: (review) => review.name,
        Text: (review) => shortened(review.text),
      })
      print(terminal, json, { reviews: found }, text)
    })

  const decide = (name: string, state: 'approved' | 'rejected', summary: string) =>
    ofCompany(reviews, name, summary)
      .argument('<id>', 'id of the review', id)
      .action(async (reviewId: number, { company, json }: Options) => {
        const { state: review } = await change(terminal, company, (tx, author, now) =>
          updateReview(tx, author, String(reviewId), { state }, now),
        )
        print(terminal, json, { review: presentReview(review) }, `The review is ${state}.`)
      })

  decide('approve', 'approved', 'Show a review in the shop.')
  decide('reject', 'rejected', 'Do not show a review, or no longer.')
}
