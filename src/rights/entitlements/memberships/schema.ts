import { type Static, Type } from 'typebox'
import { GROUP_KINDS } from '#people/groups/schema.ts'
import { Id, nullable, Text, Time } from '#platform/wire/schema.ts'

const STATES = ['not_started', 'active', 'ended', 'closed'] as const
const OneOf = <Word extends string>(words: readonly Word[], description: string) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...words], description })

export const Membership = Type.Object(
  {
    id: Id('Id of the subscriber or the group member.'),
    group_id: Text(30, 'The group.', ['s77']),
    kind: OneOf(GROUP_KINDS, 'What the group is for.'),
    title: Text(100, "Name of the group, in the customer's language."),
    license_id: nullable(Id('License that the content is used under; null: no limits.')),
    terms: Text(5000, "What the customer may do with the content, in the customer's language."),
    joined_at: Time('Since when the customer is a member.'),
    starts_at: nullable(Time('When it begins; null: at once.')),
    ends_at: nullable(Time('When it ends; null: no end is known.')),
    state: OneOf(STATES, '`closed`: the group opens nothing at the moment.'),
  },
  { $id: 'Membership' },
)

export const IncludedProduct = Type.Object(
  {
    id: Id('Id of the product.'),
    product_id: Text(50, 'The product.'),
    product_type: Type.Integer({ description: 'Type of the product.' }),
    title: Text(255, 'Title of the product.'),
    opens_at: nullable(Time('From when members can use it; null: at once.')),
    closes_at: nullable(Time('Until when members can use it; null: no end is known.')),
  },
  { $id: 'IncludedProduct' },
)

export const OpenInput = Type.Object(
  { product_id: Text(50, 'The product, by its `product_id` or its id.', ['0001-26ED-EA4F-AA32']) },
  { $id: 'OpenInput', examples: [{ product_id: '0001-26ED-EA4F-AA32' }] },
)

export type Membership = Static<typeof Membership>
export type IncludedProduct = Static<typeof IncludedProduct>
export type OpenInput = Static<typeof OpenInput>
