import { type Static, Type } from 'typebox'
import { Product } from '#catalog/products/schema.ts'
import { Id, nullable, Text, WordsParameter } from '#platform/wire/schema.ts'
import { MarketplaceEntry } from '../schema.ts'

const { market_id, company_name, cost_to_licensees_percent } = MarketplaceEntry.properties
const { title, version, product_type, published_at } = Product.properties

const picture = Text(2000, 'Address of a picture.')

export const MarketProduct = Type.Object(
  {
    id: Id('Id of the product of its owner.'),
    market_id,
    company_name,
    cost_to_licensees_percent,
    title,
    version,
    product_type,
    published_at,
    description: Text(65_535, 'Text on the page of the product, in the language of the company that reads. HTML.'),
    src: Text(2000, 'Address of its first picture; empty where it has none.'),
    pictures: Type.Array(picture, { description: 'All pictures, in their order.' }),
    terms: Type.Array(
      Type.Object({
        license: nullable(Text(255, 'Name of the license. Null: goods have none.')),
        prices: Type.Array(
          Type.Object({
            amount: Type.Integer({ minimum: 0, description: 'What a customer pays. In cents.' }),
            currency: Type.String({ description: 'Currency of the amount.', examples: ['EUR'] }),
          }),
          { description: 'In each currency that the owner has set a price in; else by country.' },
        ),
      }),
      { description: 'The ways in which it is sold. They are those of its owner, and stay so.' },
    ),
    mirror: nullable(
      Type.Object({
        id: Id('Id of the own product that mirrors it.'),
        published: Product.properties.published,
      }),
    ),
  },
  { $id: 'MarketProduct' },
)

export const MarketProductFilters = Type.Object({
  q: Type.Optional(WordsParameter('Words of the title, of which the last may be a part.', 'north li')),
  product_type: Type.Optional(Type.Integer({ minimum: 0, maximum: 32_767, description: 'Of this type.' })),
  market_id: Type.Optional(Id('Offered in this entry.')),
})

export type MarketProduct = Static<typeof MarketProduct>
