import { type Static, Type } from 'typebox'
import { Id, nullable, optional, Reference, reference, Text } from '#platform/wire/schema.ts'

const TITLE_MAX = 255
const ADDRESS_MAX = 2000
const LOCALES_MAX = 200
const PRODUCTS_MAX = 24
export const SECTIONS_MAX = 30
export const MENU_MAX = 20

const KIND = 'What it shows: see the description of the list.'
const Kind = Type.Enum(['hero', 'newest', 'category', 'products'], { description: KIND })
const Page = nullable(
  Type.Enum(['about', 'imprint', 'terms', 'withdrawal', 'privacy'], {
    description: 'A page of the shop that the link leads to; null: none.',
  }),
)
const Hidden = Type.Boolean({ description: 'Whether it is kept for later, and not shown.' })
const Url = Text(ADDRESS_MAX, 'The address that the link leads to, or empty.', ['https://www.example.com'])

const Title = Type.Object({
  language_id: Type.String({ description: 'Code of the language.', examples: ['en'] }),
  title: Text(TITLE_MAX, 'Title in this language.'),
})

export const LanguageReference = reference(
  Type.String({
    pattern: '^([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})?|[0-9]{1,9})$',
    description: 'Code of the language. Its number is understood too: 1 en, 2 de, 6 pt, 8 es, 10 it, 12 fr.',
    examples: ['en'],
  }),
)

const TitleInput = Type.Object({
  language_id: LanguageReference,
  title: Text(TITLE_MAX, 'Title in this language.'),
})

const Titles = {
  maxItems: LOCALES_MAX,
  description: 'Titles of its own. A category and a page have a title without one.',
}

const SECTIONS =
  'What the home page shows, in this order. `hero`: a large picture at the top, of the first of `product_ids`, or else of the newest product. `newest`: the newest products. `category`: the first products of `category_id`. `products`: those in `product_ids`. Null: the newest product, and the categories at the top.'
const MENU =
  'The links in the header of the shop, in this order. Each has one of `category_id`, `page` and `url`. Null: the categories at the top.'

const HomeSection = Type.Object({
  kind: Kind,
  hidden: Hidden,
  category_id: nullable(Id('Category that it shows; null: none.')),
  product_ids: Type.Array(Id('Id of a product.'), { description: 'Products that were chosen by hand.' }),
  locales: Type.Array(Title, Titles),
})

const HomeSectionInput = Type.Object({
  kind: Kind,
  ...optional({
    hidden: Hidden,
    category_id: Reference('Category that it shows.'),
    product_ids: Type.Array(Id('Id of a product.'), {
      maxItems: PRODUCTS_MAX,
      description: 'Products that are chosen by hand.',
    }),
    locales: Type.Array(TitleInput, Titles),
  }),
})

const MenuEntry = Type.Object({
  category_id: nullable(Id('Category that the link leads to; null: none.')),
  page: Page,
  url: Url,
  locales: Type.Array(Title, Titles),
})

const MenuEntryInput = Type.Object(
  optional({
    category_id: Reference('Category that the link leads to.'),
    page: Page,
    url: Url,
    locales: Type.Array(TitleInput, Titles),
  }),
)

export const home = {
  home_sections: nullable(Type.Array(HomeSection, { description: SECTIONS })),
  menu: nullable(Type.Array(MenuEntry, { description: MENU })),
}

export const homeInput = {
  home_sections: Type.Optional(
    nullable(Type.Array(HomeSectionInput, { maxItems: SECTIONS_MAX, description: SECTIONS })),
  ),
  menu: Type.Optional(nullable(Type.Array(MenuEntryInput, { maxItems: MENU_MAX, description: MENU }))),
}

export type HomeSection = Static<typeof HomeSection>
export type HomeSectionInput = Static<typeof HomeSectionInput>
export type MenuEntry = Static<typeof MenuEntry>
export type MenuEntryInput = Static<typeof MenuEntryInput>
