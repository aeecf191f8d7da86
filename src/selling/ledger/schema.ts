import { type Static, Type } from 'typebox'
import { Id, nullable, Time, TimeInput } from '#platform/wire/schema.ts'

export const LedgerEntry = Type.Object(
  {
    id: Id('Id of the entry.'),
    created_at: Time('When it was booked.'),
    kind: Type.String({ enum: ['sale', 'refund', 'cancellation'], description: 'What was booked.' }),
    counterpart_id: Id('The company on the other side.'),
    selling_company_id: Id('The company in whose shop it was sold.'),
    order_id: Id('Id of the order there.'),
    line_item_id: Id('Id of the line item.'),
    refund_id: nullable(Type.Integer({ description: 'Id of the refund that it was booked back with.' })),
    product_id: Type.String({ description: 'The product, by the `product_id` that it has in the shop of the seller.' }),
    title: Type.String({ description: 'Title of the product when it was sold.' }),
    quantity: Type.Integer({ minimum: 1, description: 'How many.' }),
    cost_to_licensees_percent: Type.Number({ description: 'Percent of the original price, as it was agreed.' }),
    amount: Type.Integer({
      description: 'Positive is what the company gets, negative what it owes. In cents.',
    }),
    currency: Type.String({ description: 'Currency of the order.', examples: ['EUR'] }),
  },
  { $id: 'LedgerEntry' },
)

/** The filters of a list of entries. */
export const LedgerFilters = Type.Object({
  created_at_min: Type.Optional(TimeInput('Booked at this time or later.')),
  created_at_max: Type.Optional(TimeInput('Booked at this time or earlier.')),
  counterpart_id: Type.Optional(Id('With this company on the other side.')),
})

export type LedgerEntry = Static<typeof LedgerEntry>
export type LedgerFilters = Static<typeof LedgerFilters>
