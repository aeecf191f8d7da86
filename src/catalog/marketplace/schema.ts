import { type Static, Type } from 'typebox'
import { Product, ProductLocale } from '#catalog/products/schema.ts'
import { Id, nullable, Text } from '#platform/wire/schema.ts'

const percent = Type.Number({
  minimum: 0,
  maximum: 100,
  description: 'Percent of the original price that the original owner gets of a sale.',
  examples: [30],
})

export const MarketplaceEntry = Type.Object(
  {
    market_id: Id('Id of the entry.'),
    company_name: Text(100, 'Name of the company that offers its products.'),
    company_logo: Text(2000, 'Address of its picture; empty where it has none.'),
    shop_name: Text(255, 'Name of its shop; the name of the company where the shop has none.'),
    shop_description: Text(65_535, 'What the shop says of itself.'),
    shop_icon: Text(2000, 'Address of the icon of the shop; empty where it has none.'),
    shop_url: Text(2000, 'Address of the shop; empty where it has none.'),
    product_count: Type.Integer({ minimum: 0, description: 'Products that are offered now.' }),
    cost_to_licensees_percent: percent,
  },
  { $id: 'MarketplaceEntry' },
)

const { email_text: _emailText, ...localeShown } = ProductLocale.properties
const {
  comment: _comment,
  published: _published,
  mirrored: _mirrored,
  valid: _valid,
  attribute_set_id: _attributeSet,
  supplier: _supplier,
  items_in_stock: _stock,
  manage_stock: _manageStock,
  categories: _categories,
  groups: _groups,
  themes: _themes,
  content_files: _contentFiles,
  locales: _locales,
  ...shown
} = Product.properties

/** A product as other companies see it: without the fields that only concern its owner. */
export const OfferedProduct = Type.Object(
  { ...shown, locales: Type.Array(Type.Object(localeShown)) },
  { $id: 'OfferedProduct' },
)

export const TakenProduct = Type.Object(
  {
    id: Product.properties.id,
    product_id: Product.properties.product_id,
    title: Product.properties.title,
    published: Product.properties.published,
  },
  { $id: 'TakenProduct' },
)

export const OfferInput = Type.Object({
  cost_to_licensees_percent: Type.Optional(percent),
  theme_setting_id: Type.Optional(Id('The shop that the entry shows; the first one if absent.')),
  category_ids: Type.Optional(
    nullable(
      Type.Array(Id('A category.'), {
        minItems: 1,
        maxItems: 1000,
        description: 'Offers the products of these categories only; null offers all.',
      }),
    ),
  ),
})

export type MarketplaceEntry = Static<typeof MarketplaceEntry>
export type OfferedProduct = Static<typeof OfferedProduct>
export type TakenProduct = Static<typeof TakenProduct>
export type OfferInput = Static<typeof OfferInput>
