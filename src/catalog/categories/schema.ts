import { type Static, Type } from 'typebox'
import { Id, nullable, optional, Reference, reference, Text, Time } from '#platform/wire/schema.ts'

const TITLE_MAX = 255
const HTML_MAX = 65_535

const localeTexts = {
  title: Text(TITLE_MAX, 'Name in the shop.', ['Documentaries']),
  description: Text(HTML_MAX, 'Text on the page of the category. HTML is allowed.'),
  seo_title: Text(TITLE_MAX, 'Title for search engines.'),
  seo_description: Text(1000, 'Description for search engines.'),
  seo_keywords: Text(1000, 'Keywords for search engines.'),
}

const language = Type.String({
  pattern: '^[A-Za-z]{2}$',
  description: 'Two-letter code of the language.',
  examples: ['en'],
})
const src = Text(2000, 'Address of the picture.', ['https://example.com/documentaries.jpg'])

export const CategoryLocale = Type.Object({ id: Id('Id of the locale.'), language, ...localeTexts, src })

export const CategoryEntry = Type.Object({
  id: Id('Id of the entry.'),
  product_id: Type.String({ description: 'The `product_id` of the product.', examples: ['0001-26ED-EA4F-AA32'] }),
  created_at: Time('When the product was put into the category.'),
})

export const Category = Type.Object(
  {
    id: Id('Id of the category.'),
    title: Text(TITLE_MAX, 'Name in the administration.', ['Documentaries']),
    comment: Text(HTML_MAX, 'Seen in the administration only.'),
    created_at: Time('When the category was made.'),
    enabled: Type.Boolean({ description: 'Whether the shop shows it.' }),
    parent_id: Type.Integer({ minimum: 0, description: 'The category above; 0 is the top level.' }),
    position: Type.Integer({ minimum: 0, description: 'Place among the categories of one parent; 0 is the top.' }),
    locales: Type.Array(CategoryLocale),
    entries: Type.Array(CategoryEntry, { description: 'The products in the category.' }),
  },
  { $id: 'Category' },
)

const locale = Type.Object({
  id: Type.Optional(Reference('Id of a locale to change.')),
  language: Type.Optional(language),
  ...optional(localeTexts),
  src: Type.Optional(nullable(src)),
  _destroy: Type.Optional(Type.Boolean({ description: 'Removes the locale with this id.' })),
})

export const CategoryInput = Type.Object(
  {
    title: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: TITLE_MAX,
        description: 'Name in the administration. Required when a category is made.',
      }),
    ),
    comment: Type.Optional(Text(HTML_MAX, 'Seen in the administration only.')),
    enabled: Type.Optional(Type.Boolean({ description: 'Whether the shop shows it. True unless said otherwise.' })),
    parent_id: Type.Optional(Reference('The category above. Without one it is at the top level.')),
    position: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Place among the categories of one parent.' }),
    ),
    locales: Type.Optional(
      Type.Array(locale, {
        maxItems: 200,
        description: 'An entry with an `id` or a known `language` changes that one; others are added.',
      }),
    ),
    entries: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.Optional(Reference('Id of an entry to keep.')),
          product_id: Type.Optional(
            reference(Type.String({ maxLength: 40, description: 'The `product_id` or the numeric id of a product.' })),
          ),
        }),
        { maxItems: 20_000, description: 'Replaces the products in the category.' },
      ),
    ),
  },
  {
    $id: 'CategoryInput',
    examples: [{ title: 'Documentaries', enabled: true, locales: [{ language: 'en', title: 'Documentaries' }] }],
  },
)

export const CategoryMove = Type.Object(
  {
    parent_id: Type.Optional(Reference('The category above. Null or 0: the top level. Absent: it stays where it is.')),
    position: Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Place among the categories of the parent; 0 is the top. One beyond the last is the last.',
    }),
  },
  { $id: 'CategoryMove', examples: [{ parent_id: 1001, position: 0 }] },
)

export type CategoryMove = Static<typeof CategoryMove>
export type Category = Static<typeof Category>
export type CategoryLocale = Static<typeof CategoryLocale>
export type CategoryInput = Static<typeof CategoryInput>
export type CategoryLocaleInput = Static<typeof locale>
