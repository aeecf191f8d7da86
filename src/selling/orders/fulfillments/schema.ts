import { type Static, Type } from 'typebox'
import { Address } from '#identity/addresses/schema.ts'
import { Id, Text, Time, TimeInput } from '#platform/wire/schema.ts'

/** Not shipped, and shipped. */
export const STATUSES = [0, 100] as const
export const TRACKING_MAX = 64
const CARRIER_MAX = 100

const status = { type: 'integer', enum: [...STATUSES], description: '0 not shipped, 100 shipped.' }

export const Fulfillment = Type.Object(
  {
    id: Id('Id of the order.'),
    created_at: Time('When the order was made.'),
    owner_company: Id('The company for which it is shipped.'),
    customer: Type.Unsafe<Static<typeof Address> | null>({
      anyOf: [Address, { type: 'null' }],
      description: 'Where it is sent; null: nobody has told yet.',
    }),
    line_items: Type.Array(
      Type.Object({
        id: Id('Id of the line item.'),
        product_id: Type.String({ description: 'The product, by its `product_id`.' }),
        title: Type.String({ description: 'Title of the product.' }),
        version: Type.String({ description: 'Version of the product.' }),
        Quantity: Type.Integer({ minimum: 0, description: 'How many are to be shipped.' }),
        gtin: Type.String({ description: 'GTIN of the product.' }),
        weight: Type.Number({ description: 'Weight of one in grams.' }),
      }),
      { description: 'What is shipped.' },
    ),
    status: Type.Unsafe<FulfillmentStatus>(status),
    tracking_company: Text(CARRIER_MAX, 'Who carries it.', ['DHL']),
    tracking_number: Text(TRACKING_MAX, 'One number or several.', ['00340434161094042557']),
    tracking_url: Type.String({ description: 'Where it can be followed; empty: nowhere. Read-only.' }),
  },
  { $id: 'Fulfillment' },
)

export const FulfillmentInput = Type.Object(
  {
    status: Type.Optional(Type.Unsafe<FulfillmentStatus>(status)),
    tracking_number: Type.Optional(Text(TRACKING_MAX, 'One number or several.', ['00340434161094042557'])),
    tracking_company: Type.Optional(
      Text(
        CARRIER_MAX,
        'Who carries it, if it is not the carrier of the shipping method. The tracking address is that of a shipping method with the same carrier; without one there is none.',
        ['DHL'],
      ),
    ),
  },
  { $id: 'FulfillmentInput', examples: [{ status: 100, tracking_number: '00340434161094042557' }] },
)

/** The filters of a list of fulfillments. */
export const FulfillmentFilters = Type.Object({
  created_at_min: Type.Optional(TimeInput('Ordered at this time or later.')),
  created_at_max: Type.Optional(TimeInput('Ordered at this time or earlier.')),
})

export type FulfillmentStatus = (typeof STATUSES)[number]
export type Fulfillment = Static<typeof Fulfillment>
export type FulfillmentFilters = Static<typeof FulfillmentFilters>
export type FulfillmentInput = Static<typeof FulfillmentInput>
