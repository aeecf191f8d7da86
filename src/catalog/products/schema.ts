import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { TAX_CLASSES } from '#identity/addresses/tax-classes.facts.ts'
import {
  Id,
  nullable,
  optional,
  Reference,
  reference,
  Text,
  Time,
  TimeInput,
  WordsParameter,
} from '#platform/wire/schema.ts'
import { CONTENT_TYPES } from './content-files.facts.ts'
import { PRODUCT_TYPES } from './types.facts.ts'

const TITLE_MAX = 255
const NAME_MAX = 100
const HTML_MAX = 65_535
const INT_MAX = 2_147_483_647
export const PREVIEW_PICTURES_MAX = 256

const Whole = (description: string, maximum = INT_MAX) => Type.Integer({ minimum: 0, maximum, description })
const PartId = (what: string) => Type.Optional(Reference(`Id of ${what} to keep or change. Without one it is added.`))

const languageId = Type.String({
  pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})?$',
  description: 'Code of the language.',
  examples: ['en'],
})

const localeTexts = {
  title: Text(TITLE_MAX, 'Name in the shop.', ['The Long Way Home']),
  description: Text(HTML_MAX, 'Text on the page of the product. HTML is allowed.'),
  email_text: Text(HTML_MAX, 'Added to the mail that confirms a sale. HTML is allowed.'),
  product_url: Text(2000, 'Page of the maker, which is shown beside the trial of a program.'),
  seo_title: Text(TITLE_MAX, 'Title for search engines; made from the product where it is absent.'),
  seo_description: Text(1000, 'Description for search engines; made from the product where it is absent.'),
  seo_keywords: Text(1000, 'Keywords for search engines; made from the product where they are absent.'),
  version: Text(NAME_MAX, 'Overrides the version of the product in this language.'),
}

const src = Text(2000, 'Address of the picture: the given one until the service has fetched it, then its own.', [
  'https://example.com/cover.jpg',
])

export const ProductLocale = Type.Object({ id: Id('Id of the locale.'), language_id: languageId, ...localeTexts, src })

const binding = {
  license_id: nullable(Id('License under which the product is sold. None for physical products.')),
  price_id: nullable(Id('Price model.')),
  compare_price_id: nullable(Id('Price model that is shown as compare price.')),
  hd: nullable(Type.Boolean({ description: 'Whether the video is sold in HD. Video only.' })),
}
const bindingExtras = {
  audio_type: Type.Optional(nullable(Whole('Kind of audio. Audio only.'))),
  num_users: Type.Optional(nullable(Whole('Users that the license is for. Not for goods and services.'))),
}

const chapter = { name: Text(TITLE_MAX, 'Name of the chapter.'), runtime: Whole('Length in seconds.') }
const group = {
  group_id: Type.String({
    pattern: '^[csp](-1|[1-9][0-9]{0,17})$',
    description:
      'Type letter and id: `c` access group, `s` subscription group, `p` sharing group; -1 is all of that kind.',
    examples: ['c12'],
  }),
}
const theme = {
  theme_id: Type.Integer({
    minimum: -1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Theme in which the product is shown; -1 is all.',
  }),
}
const value = { value: Text(NAME_MAX, 'The word.') }
const person = { person: Text(NAME_MAX, 'Name of the person.') }
const role = { role: Text(NAME_MAX, 'What the person did or played.') }
const tagging = {
  isbn: nullable(Text(32, 'ISBN. Books, audio and video only.', ['978-3-16-148410-0'])),
  year: nullable(Type.Integer({ minimum: 0, maximum: 9999, description: 'Year of release.' })),
}
const AGE_MAX = 21
const age = Type.Integer({
  minimum: 0,
  maximum: AGE_MAX,
  description:
    'Age rating: from which age on the work is suitable; 0 is for everybody. Absent if it has none. Books, audio and video only.',
  examples: [12],
})

const listOf = <Properties extends TProperties>(properties: Properties, what: string) =>
  Type.Array(Type.Object({ id: Id(`Id of the ${what}.`), ...properties }))

const scalars = {
  title: Text(TITLE_MAX, 'Name in the administration, and in the shop where no locale has one.', ['The Long Way Home']),
  version: Text(NAME_MAX, 'Version; a locale may override it.'),
  comment: Text(HTML_MAX, 'Seen in the administration only.'),
  published: Type.Boolean({ description: 'True shows the product, false hides it.' }),
  pre_sales: Type.Boolean({ description: 'Allows sales before `published_at`, even if the product is not complete.' }),
  drm_protected: Type.Boolean({ description: 'Can be set when the product is made, not later.' }),
  allow_download_trial: Type.Integer({
    minimum: 0,
    maximum: 1,
    description: '1 lets everybody download the trial of a program, the content file of the role `trial`.',
  }),
  supplier: nullable(Text(NAME_MAX, 'Identifier of the supplier.')),
  items_in_stock: nullable(
    Type.Integer({
      minimum: -INT_MAX,
      maximum: INT_MAX,
      description: 'Items left; null where stock is not managed. Physical products only.',
    }),
  ),
  manage_stock: Type.Boolean({ description: 'Whether stock is counted. Physical products only.' }),
}

/** They are null in the answer where they do not apply, but a body cannot set them to null. */
const measures = {
  runtime: Whole('Length in seconds. Video and audio only.'),
  gtin: Text(NAME_MAX, 'Global trade item number. Physical products only.'),
  weight: Type.Number({ minimum: 0, maximum: 1e9, description: 'Grams. Physical products only.' }),
  tax_class: Type.Enum(TAX_CLASSES, {
    description:
      'Which of the tax rates of a country applies: the standard rate, the reduced one, that of e-books, or none (`zero`). A new e-book has `e-book`, everything else `standard`.',
    examples: ['standard'],
  }),
}

const productType = Type.Integer({
  minimum: 0,
  maximum: 32_767,
  description: `${Object.entries(PRODUCT_TYPES)
    .map(([type, { name }]) => `${type} ${name}`)
    .join(', ')}.`,
})
const productId = Type.String({
  pattern: '^[0-9A-Fa-f]{4}(-[0-9A-Fa-f]{4}){3}$',
  description: 'Four groups of four hexadecimal digits. Never changes.',
  examples: ['0001-26ED-EA4F-AA32'],
})
const picture = Type.Object({ id: Id('Id of the picture.'), src })

export const Product = Type.Object(
  {
    id: Id('Id of the product.'),
    product_id: productId,
    title: scalars.title,
    version: scalars.version,
    comment: scalars.comment,
    product_type: productType,
    created_at: Time('When the product was made.'),
    updated_at: Time('When it was last changed.'),
    published_at: nullable(Time('When it is released; until then it is unavailable, unless `pre_sales` is true.')),
    published: scalars.published,
    pre_sales: scalars.pre_sales,
    drm_protected: scalars.drm_protected,
    allow_download_trial: scalars.allow_download_trial,
    attribute_set_id: nullable(Type.Integer({ description: 'Set of attributes.' })),
    mirrored: Type.Boolean({ description: 'True for a product of another shop, which cannot be changed here.' }),
    valid: Type.Boolean({ description: 'False for a product that is no longer to be used.' }),
    supplier: scalars.supplier,
    runtime: nullable(measures.runtime),
    gtin: nullable(measures.gtin),
    weight: nullable(measures.weight),
    items_in_stock: scalars.items_in_stock,
    manage_stock: scalars.manage_stock,
    tax_class: measures.tax_class,
    categories: Type.Array(
      Type.Object({
        id: Id('Id of the binding.'),
        category_id: Id('The category.'),
        created_at: Time('When it was put there.'),
      }),
    ),
    chapters: listOf(chapter, 'chapter'),
    groups: Type.Array(
      Type.Object({
        ...group,
        start_at: nullable(Time('From when; null is no bound.')),
        end_at: nullable(Time('Until when; null is no bound.')),
        created_at: Time('When it was put there.'),
      }),
    ),
    locales: Type.Array(ProductLocale),
    preview_pictures: Type.Array(picture),
    images: Type.Array(picture, { description: 'Another name for `preview_pictures`.' }),
    price_license_binding: Type.Array(Type.Object({ id: Id('Id of the binding.'), ...binding, ...bindingExtras })),
    tagging: Type.Object({ id: Id('Id of the tagging.'), ...tagging, age: Type.Optional(age) }),
    tagging_genre: listOf(value, 'genre'),
    tagging_studios: listOf(value, 'studio'),
    tagging_people: listOf({ ...role, ...person }, 'person'),
    tagging_script: listOf(person, 'author'),
    tagging_director: listOf(person, 'director'),
    themes: Type.Array(
      Type.Object({ id: Id('Id of the binding.'), ...theme, created_at: Time('When it was put there.') }),
    ),
    included_products: Type.Array(Type.Object({ id: Id('Id of the entry.'), product_id: productId }), {
      description: 'What a collection includes, or what a variation offers to choose from. Of the same company.',
    }),
    content_files: Type.Array(
      Type.Object({
        id: Id('Id of the file.'),
        name: Text(TITLE_MAX, 'Name of the file.', ['film.mp4']),
        role: Text(20, 'What the file is for the product.', ['main_hd']),
        language: Text(NAME_MAX, 'Code of the language; empty if the file has none.', ['en']),
        valid: Type.Integer({ minimum: 0, maximum: 1, description: '1 if the file can be delivered, else 0.' }),
        content_type: Type.Enum(CONTENT_TYPES, {
          description:
            '2 trailer, 7 sample or preview, 10 trial download, 1 everything that is sold. Only what is sold needs a right.',
        }),
        mime_type: Text(TITLE_MAX, 'Type of the content, found in the bytes; empty if it was refused.', ['video/mp4']),
        size: Type.Integer({ minimum: 0, description: 'Size in bytes.' }),
        download_url: Text(
          2000,
          'Where it is fetched. A trailer, a sample and, with `allow_download_trial` 1, a trial need no token while the product is published; the rest needs one with the scope `files`.',
        ),
      }),
      { description: 'The uploaded content files. Those of a mirrored product stay with its owner. Read-only.' },
    ),
  },
  { $id: 'Product' },
)

const pictureInput = Type.Array(Type.Object({ id: PartId('a picture'), src: Type.Optional(src) }), {
  maxItems: PREVIEW_PICTURES_MAX,
  description: 'Replaces the pictures: `{id}` keeps one, `{src}` fetches one. `[]` removes all.',
})

const LocaleInput = Type.Object({
  id: PartId('a locale'),
  language_id: Type.Optional(reference(languageId)),
  ...optional(localeTexts),
  src: Type.Optional(nullable(src)),
  _destroy: Type.Optional(Type.Boolean({ description: 'Removes the locale with this id.' })),
})
const BindingInput = Type.Object({
  id: PartId('a binding'),
  license_id: Type.Optional(Reference('License under which the product is sold. None for physical products.')),
  price_id: Type.Optional(Reference('Price model.')),
  compare_price_id: Type.Optional(Reference('Price model that is shown as compare price.')),
  hd: Type.Optional(binding.hd),
  ...bindingExtras,
})
const ChapterInput = Type.Object({ id: PartId('a chapter'), ...optional(chapter) })
const GroupInput = Type.Object({
  group_id: Type.Optional(reference(group.group_id)),
  start_at: Type.Optional(nullable(TimeInput('From when.'))),
  end_at: Type.Optional(nullable(TimeInput('Until when.'))),
})
const PersonInput = Type.Object({ id: PartId('an entry'), ...optional({ ...role, ...person }) })
const ValueInput = Type.Object({ id: PartId('an entry'), ...optional(value) })
const many = <Schema extends TSchema>(schema: Schema, description: string, maxItems = 1000) =>
  Type.Optional(Type.Array(schema, { maxItems, description }))

export const ProductInput = Type.Object(
  {
    product_type: Type.Optional(productType),
    product_id: Type.Optional(productId),
    ...optional(scalars),
    ...optional(measures),
    attribute_set_id: Type.Optional(Reference('Set of attributes.')),
    published_at: Type.Optional(nullable(TimeInput('When the product is released.'))),
    categories: many(
      Type.Object({ id: PartId('a binding'), category_id: Type.Optional(reference(Id('The category.'))) }),
      'Replaces the categories.',
    ),
    chapters: many(ChapterInput, 'Replaces the chapters; their order is the order of the list. Video only.'),
    groups: many(GroupInput, 'Replaces the groups.'),
    locales: many(
      LocaleInput,
      'An entry with an `id` or a known `language_id` changes that one; others are added.',
      200,
    ),
    preview_pictures: Type.Optional(pictureInput),
    images: Type.Optional(pictureInput),
    price_license_binding: many(
      BindingInput,
      'Replaces the bindings. A physical product has at most one, without a license.',
      200,
    ),
    tagging: Type.Optional(Type.Object(optional({ ...tagging, age: nullable(age) }))),
    tagging_genre: many(ValueInput, 'Replaces the genres. Audio, video and books only.'),
    tagging_studios: many(ValueInput, 'Replaces the studios. Audio, video and books only.'),
    tagging_people: many(PersonInput, 'Replaces the people. Audio, video and books only.'),
    tagging_script: many(PersonInput, 'Replaces the authors. Audio, video and books only.'),
    tagging_director: many(PersonInput, 'Replaces the directors. Audio, video and books only.'),
    included_products: many(
      Type.Object({ id: PartId('an entry'), product_id: Type.Optional(reference(productId)) }),
      'Replaces what a collection includes, or what a variation offers to choose from.',
      500,
    ),
    themes: many(
      Type.Object({ id: PartId('a binding'), theme_id: Type.Optional(reference(theme.theme_id)) }),
      'Replaces the themes.',
    ),
  },
  { $id: 'ProductInput', examples: [{ product_type: 1, title: 'The Long Way Home' }] },
)

const { product_id: _productId, drm_protected: _drmProtected, ...changeable } = ProductInput.properties

/** An update, without the attributes that are set once. */
export const ProductChange = Type.Object(changeable, {
  $id: 'ProductChange',
  examples: [{ title: 'The Long Way Home', published: true }],
})

export const ProductFilters = Type.Object({
  q: Type.Optional(
    WordsParameter('Words of the title, of which the last may be a part, or the `product_id`.', 'north li'),
  ),
  ids: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Fa-f -]+(,[0-9A-Fa-f -]+)*$',
      maxLength: 20_000,
      description: 'Comma-separated ids or product ids.',
      examples: ['12,15'],
    }),
  ),
  created_at_min: Type.Optional(TimeInput('Made at or after this time.')),
  created_at_max: Type.Optional(TimeInput('Made at or before this time.')),
  updated_at_min: Type.Optional(TimeInput('Changed at or after this time.')),
  updated_at_max: Type.Optional(TimeInput('Changed at or before this time.')),
  published_at_min: Type.Optional(TimeInput('Released at or after this time.')),
  published_at_max: Type.Optional(TimeInput('Released at or before this time.')),
  published_status: Type.Optional(
    Type.Enum(['published', 'unpublished', 'any'], { description: 'Whether shown or hidden; `any` if absent.' }),
  ),
  sale_status: Type.Optional(
    Type.Enum(['buyable', 'not_buyable', 'any'], {
      description:
        'Of those that are shown: `buyable` with a price and with their content, `not_buyable` without. `any` if absent.',
    }),
  ),
  low_stock: Type.Optional(
    Type.Boolean({
      description: '`1`: with fewer pieces in stock than `warn_at_stock_level_below` of the company.',
    }),
  ),
  product_type: Type.Optional(Type.Integer({ minimum: 0, maximum: 32_767, description: 'Of this type.' })),
  license_id: Type.Optional(Id('Sold under this license.')),
  price_id: Type.Optional(Id('Sold for this price, or with it as the price before a reduction.')),
  query: Type.Optional(
    Type.String({
      maxLength: 500,
      description:
        '`field:value` with one of the fields version, title, comment, product_id, product_type. Title and comment are searched by words, the last of which may be a beginning; the others have to be the same.',
      examples: ['title:long way'],
    }),
  ),
})

/** What keeps a product from being sold or delivered, beside it in the answer to a change. */
export const ProductWarnings = Type.Array(
  Type.Object({
    field: Text(NAME_MAX, 'The field that something is missing in.', ['price_license_binding']),
    reason: Text(NAME_MAX, 'A word that identifies the warning and stays the same for ever.', [
      'product_without_price',
    ]),
    message: Text(TITLE_MAX, 'The warning in a sentence.', [
      'The product is published without a price, so nobody can buy it.',
    ]),
  }),
  { description: 'What is missing although the product is published. The change is made all the same.' },
)

export type Product = Static<typeof Product>
export type ProductLocale = Static<typeof ProductLocale>
export type ProductInput = Static<typeof ProductInput>
export type ProductFilters = Static<typeof ProductFilters>
export type LocaleInput = Static<typeof LocaleInput>
export type BindingInput = Static<typeof BindingInput>
export type ChapterInput = Static<typeof ChapterInput>
export type GroupInput = Static<typeof GroupInput>
export type PersonInput = Static<typeof PersonInput>
export type ValueInput = Static<typeof ValueInput>
export type PictureInput = Static<typeof pictureInput>[number]
