import { type Static, Type } from 'typebox'
import { Id, nullable, optional, Reference, reference, Text } from '#platform/wire/schema.ts'

/** A larger quantity is a typing mistake and not an order. */
export const QUANTITY_MAX = 10_000

const Choice = (description: string) => Type.Integer({ minimum: 0, maximum: 2_147_483_647, description })

const PRODUCT_ID_MAX = 50
const TITLE_MAX = 255
const NAME_MAX = 600
const CODE_MAX = 100
/** One for each tax rate. */
const TAX_LINES_MAX = 100

export const LineItem = Type.Object({
  id: Id('Id of the line item.'),
  product_id: Text(PRODUCT_ID_MAX, 'The product, by its `product_id`.', ['0001-26ED-EA4F-AA32']),
  license_id: nullable(Type.Integer({ description: 'The license that it was bought under; null: goods have none.' })),
  license_title: nullable(Text(TITLE_MAX, 'Name of the license in the language of the customer.')),
  hd: Type.Boolean({ description: 'Is it a video in high resolution?' }),
  audio_type: Type.Optional(Type.Integer({ description: 'The kind of audio, where it was sold by kind.' })),
  num_users: Type.Optional(Type.Integer({ description: 'For how many users, where it was sold by users.' })),
  chosen_product_id: Type.Optional(Text(PRODUCT_ID_MAX, 'The product that was chosen of a variation.')),
  title: Text(TITLE_MAX, 'Title of the product when it was bought.'),
  name: Text(NAME_MAX, 'Title with the name of the license.'),
  quantity: Type.Integer({ minimum: 1, description: 'How many.' }),
  grams: Type.Number({ description: 'Weight of one in grams.' }),
  sku: Text(CODE_MAX, 'GTIN of goods, else the `product_id`.'),
  price: Type.Integer({ description: 'Net price of one, before discounts. In cents.' }),
  total_discount: Type.Integer({ description: 'Discount on all of them, with tax. In cents.' }),
  tax_lines: Type.Array(
    Type.Object({
      price: Type.Integer({ description: 'Net price of all of them, after discounts. In cents.' }),
      rate: Type.Number({ description: 'Tax rate: 0.19 is 19 percent.' }),
    }),
    { maxItems: TAX_LINES_MAX, description: 'The tax on them.' },
  ),
  taxable: Type.Boolean({ description: 'Is there tax on it?' }),
  requires_shipping: Type.Boolean({ description: 'Does it have to be shipped?' }),
  gift_card: Type.Boolean({ description: 'Was it paid with a gift certificate?' }),
  product_exists: Type.Boolean({
    description:
      'False: it was not released yet when it was ordered, or a shop sold it before its content file was there.',
  }),
  code: nullable(Text(CODE_MAX, 'The code to redeem it with, if one was asked for.')),
})

export const LineItemInput = Type.Object({
  product_id: reference(Text(PRODUCT_ID_MAX, 'The product, by `product_id` or id.')),
  license_id: Type.Optional(Reference('A license of the product. Without one it is the only one.')),
  quantity: Type.Optional(
    Type.Integer({ minimum: 1, maximum: QUANTITY_MAX, default: 1, description: 'How many; one if absent.' }),
  ),
  hd: Type.Optional(Type.Boolean({ description: 'A video in high resolution? Says nothing about anything else.' })),
  audio_type: Type.Optional(
    Choice('The kind of audio, where the license is sold in several; that of the first binding if absent.'),
  ),
  num_users: Type.Optional(Choice('For how many users; one if absent. More than the license is sold for is refused.')),
  chosen_product_id: Type.Optional(
    reference(
      Text(
        PRODUCT_ID_MAX,
        'The product to choose of a variation, by `product_id` or id. With one product it may be left out.',
      ),
    ),
  ),
})

/** A line item that a client sends back as it was read. */
export const SentLineItem = Type.Object({
  ...optional(LineItem.properties),
  id: Type.Optional(reference(LineItem.properties.id)),
  product_id: Type.Optional(reference(LineItem.properties.product_id)),
  license_id: Type.Optional(Reference('The license that it was bought under.')),
  chosen_product_id: Type.Optional(reference(Text(PRODUCT_ID_MAX, 'The product that was chosen of a variation.'))),
})

export type LineItem = Static<typeof LineItem>
export type LineItemInput = Static<typeof LineItemInput>
