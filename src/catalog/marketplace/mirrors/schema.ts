import { type Static, Type } from 'typebox'
import { Product } from '#catalog/products/schema.ts'
import { nullable, Text, Time, WordsParameter } from '#platform/wire/schema.ts'
import { MarketplaceEntry } from '../schema.ts'

const { id, product_id, title, product_type, published } = Product.properties
const { company_name } = MarketplaceEntry.properties

export const STANDINGS = ['offered', 'held_back', 'ended'] as const
const CHANGES = ['texts', 'pictures', 'terms', 'release', 'content', 'parts', 'offer'] as const
const STATES = ['shown', 'hidden', 'not_offered'] as const

/** A product of another company in one's own shop, and what became of its original. */
export const MirroredProduct = Type.Object(
  {
    id,
    product_id,
    title,
    product_type,
    src: Text(2000, 'Address of its first picture; empty where it has none.'),
    published,
    standing: Type.Enum([...STANDINGS], {
      description:
        '`offered`: it can be sold. `held_back`: its owner does not offer it at the moment, and it comes back as it was. `ended`: its owner has deleted it or offers nothing any more.',
    }),
    company_name,
    cost_to_licensees_percent: Type.Number({
      minimum: 0,
      maximum: 100,
      description: 'Percent of the original price that its owner gets of a sale, as agreed when it was taken.',
    }),
    offered_percent: nullable(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description: 'What the owner asks of others now. Null: nothing is offered.',
      }),
    ),
    taken_at: Time('When it was taken into the shop.'),
    changed_at: nullable(Time('When its owner last changed something about it; null if never since it was taken.')),
    changes: Type.Array(Type.Enum([...CHANGES]), { description: 'What the owner changed then.' }),
  },
  { $id: 'MirroredProduct' },
)

export const MirrorFilters = Type.Object({
  q: Type.Optional(WordsParameter('Words of the title, of which the last may be a part.', 'north li')),
  state: Type.Optional(
    Type.Unsafe<(typeof STATES)[number]>(
      Type.String({
        enum: [...STATES],
        description: '`shown` and `hidden`: what can be sold, and whether the shop shows it. `not_offered`: the rest.',
      }),
    ),
  ),
})

export type MirroredProduct = Static<typeof MirroredProduct>
export type MirrorFilters = Static<typeof MirrorFilters>
export type MirrorStanding = (typeof STANDINGS)[number]
