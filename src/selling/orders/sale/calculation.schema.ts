import { type Static, Type } from 'typebox'
import { nullable, Text } from '#platform/wire/schema.ts'

const TITLE_MAX = 1000
const cents = (description: string) => Type.Integer({ description: `${description} In cents.` })

export const OrderCalculation = Type.Object(
  {
    currency: Type.String({ description: 'Currency of every amount.', examples: ['EUR'] }),
    taxes_included: Type.Boolean({ description: 'Are the prices with tax?' }),
    total_line_items_price: cents('Price of all line items with tax, before discounts.'),
    total_discounts: cents('All discounts, with tax.'),
    total_tax: cents('All taxes.'),
    total_price: cents('What the order would cost: with tax and shipping, after discounts.'),
    line_items: Type.Array(
      Type.Object({
        product_id: Text(50, 'The product, by its `product_id`.'),
        title: Text(TITLE_MAX, 'Title of the product.'),
        license_id: nullable(Type.Integer({ description: 'The license; null: it is sold without one.' })),
        quantity: Type.Integer({ description: 'How many.' }),
        requires_shipping: Type.Boolean({ description: 'Does it have to be shipped?' }),
        total: cents('Price of all of them, with tax, after discounts.'),
      }),
      { description: 'In the order of the request.' },
    ),
    shipping_price: cents('What shipping costs, with tax.'),
    shipping_methods: Type.Array(
      Type.Object({
        title: Text(TITLE_MAX, 'Name of the shipping method.'),
        price: cents('What it costs, with tax.'),
      }),
      { description: 'The ways to ship the goods to the customer. Empty: nothing is shipped, or shipping is free.' },
    ),
  },
  { $id: 'OrderCalculation' },
)

export type OrderCalculation = Static<typeof OrderCalculation>
