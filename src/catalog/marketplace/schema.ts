import { type Static, Type } from 'typebox'
import { Product, ProductLocale } from '#catalog/products/schema.ts'
import { Id, named, nullable, optional, reference, Text, Time } from '#platform/wire/schema.ts'

const COMPANIES_MAX = 1000

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

export const TakenProducts = Type.Object({
  products: Type.Array(named(TakenProduct), { description: "The company's own mirrors of the products." }),
  added: Type.Integer({ minimum: 0, description: 'How many of them are new.' }),
})

const offer = {
  cost_to_licensees_percent: percent,
  theme_setting_id: Id('The shop that the entry shows; the first one if absent.'),
  category_ids: nullable(
    Type.Array(Id('A category.'), {
      minItems: 1,
      maxItems: 1000,
      description: 'Offers the products of these categories only; null offers all.',
    }),
  ),
  company_ids: nullable(
    Type.Array(Id('A company.'), {
      minItems: 1,
      maxItems: COMPANIES_MAX,
      description:
        'Only these companies see the entry and can take products; null: every company. For a company that is taken off the list, the offer has ended.',
    }),
  ),
}

/** What a company offers to others, as it sees it itself. */
export const MarketOffer = Type.Object(
  {
    id: Id('Id of the offer: the `market_id` of its entry.'),
    ...offer,
    created_at: Time('When the company offered its products.'),
    updated_at: Time('When the offer was last changed.'),
  },
  { $id: 'MarketOffer' },
)

export const OfferInput = Type.Object(optional({ ...offer, theme_setting_id: reference(offer.theme_setting_id) }), {
  $id: 'MarketOfferInput',
  examples: [{ cost_to_licensees_percent: 30, category_ids: null }],
})

export type MarketplaceEntry = Static<typeof MarketplaceEntry>
export type OfferedProduct = Static<typeof OfferedProduct>
export type TakenProduct = Static<typeof TakenProduct>
export type MarketOffer = Static<typeof MarketOffer>
export type OfferInput = Static<typeof OfferInput>
