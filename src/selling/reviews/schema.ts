import { type Static, Type } from 'typebox'
import { Id, nullable, Text, Time } from '#platform/wire/schema.ts'

export const REVIEW_TEXT_MAX = 5000
export const REVIEW_NAME_MAX = 200
export const REVIEW_STATES = ['waiting', 'approved', 'rejected'] as const

export const State = Type.Unsafe<(typeof REVIEW_STATES)[number]>(
  Type.String({
    enum: [...REVIEW_STATES],
    description: '`waiting` until somebody decides, then `approved` or `rejected`. Shops show approved reviews.',
    examples: ['approved'],
  }),
)

export const Review = Type.Object(
  {
    id: Id('Id of the review.'),
    product_id: Text(100, 'Id of the product.', ['0001-26ED-EA4F-AA32']),
    customer_token: nullable(Text(100, 'Token of the customer; null if the customer was erased.')),
    name: Text(REVIEW_NAME_MAX, 'The name that the shop shows; empty if the customer is not named.', ['Jane R.']),
    stars: Type.Integer({ minimum: 1, maximum: 5, description: 'From 1 to 5.' }),
    text: Text(REVIEW_TEXT_MAX, 'What the customer wrote, without markup.'),
    state: State,
    created_at: Time('When the customer wrote it.'),
    updated_at: Time('When it was last changed.'),
  },
  { $id: 'Review' },
)

export const ReviewChange = Type.Object(
  { state: Type.Optional(State) },
  { $id: 'ReviewChange', examples: [{ state: 'approved' }] },
)

export type Review = Static<typeof Review>
export type ReviewChange = Static<typeof ReviewChange>
