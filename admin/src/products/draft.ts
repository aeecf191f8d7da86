import type { Schemas } from '@licet/client'
import type { Product } from './queries.ts'

export type ProductInput = Schemas['ProductChange']

export type Text = {
  language_id: string
  title: string
  description: string
  seo_title: string
  seo_description: string
}
/** All fields of an offer are sent back: the API replaces the list. */
export type Offer = NonNullable<ProductInput['price_license_binding']>[number]
/** A new picture has no id yet. */
export type DraftPicture = { id?: number; src: string }

/** What the editor changes of a product. Numbers and lists of words are kept as they were typed. */
export type Draft = {
  title: string
  published: boolean
  preSales: boolean
  texts: Text[]
  offers: Offer[]
  pictures: DraftPicture[]
  /** The ids of the categories. */
  categories: number[]
  genres: string
  directors: string
  year: string
  gtin: string
  runtimeMinutes: string
  managesStock: boolean
  stock: string
  taxClass: Product['tax_class']
}

export function draftOf(product: Product): Draft {
  return {
    title: product.title,
    published: product.published,
    preSales: product.pre_sales,
    texts: product.locales.map(({ language_id, title, description, seo_title, seo_description }) => ({
      language_id,
      title,
      description,
      seo_title,
      seo_description,
    })),
    offers: product.price_license_binding.map((offer) => ({ ...offer })),
    pictures: product.preview_pictures.map(({ id, src }) => ({ id, src })),
    categories: product.categories.map(({ category_id }) => category_id),
    genres: product.tagging_genre.map(({ value }) => value).join(', '),
    directors: product.tagging_director.map(({ person }) => person).join(', '),
    year: product.tagging.year === null ? '' : String(product.tagging.year),
    gtin: product.gtin ?? '',
    runtimeMinutes: product.runtime == null ? '' : String(Math.round(product.runtime / 60)),
    managesStock: product.manage_stock,
    stock: product.items_in_stock === null ? '' : String(product.items_in_stock),
    taxClass: product.tax_class,
  }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The words of a list that was typed with commas. */
function wordsOf(typed: string): string[] {
  return typed
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
}

const numberOrNull = (typed: string) => (typed.trim() === '' ? null : Number(typed))

/** How the fields of the draft are sent. */
const SENT: { [Field in keyof Draft]: (after: Draft) => ProductInput } = {
  title: ({ title }) => ({ title }),
  published: ({ published }) => ({ published }),
  preSales: ({ preSales }) => ({ pre_sales: preSales }),
  texts: ({ texts }) => ({ locales: texts }),
  offers: ({ offers }) => ({ price_license_binding: offers }),
  pictures: ({ pictures }) => ({ preview_pictures: pictures }),
  categories: ({ categories }) => ({ categories: categories.map((category_id) => ({ category_id })) }),
  genres: ({ genres }) => ({ tagging_genre: wordsOf(genres).map((value) => ({ value })) }),
  directors: ({ directors }) => ({ tagging_director: wordsOf(directors).map((person) => ({ person })) }),
  year: ({ year }) => ({ tagging: { year: numberOrNull(year) } }),
  gtin: ({ gtin }) => ({ gtin }),
  runtimeMinutes: ({ runtimeMinutes }) => ({ runtime: Math.round(Number(runtimeMinutes) * 60) }),
  managesStock: ({ managesStock }) => ({ manage_stock: managesStock }),
  stock: ({ stock }) => ({ items_in_stock: numberOrNull(stock) }),
  taxClass: ({ taxClass }) => ({ tax_class: taxClass }),
}

/** The fields that differ from what was read, as the API takes them. Nothing else is sent, so nothing else is overwritten. */
export function changesIn(before: Draft, after: Draft): ProductInput {
  const fields = Object.keys(SENT) as (keyof Draft)[]
  const changed = fields.filter((field) => !isSame(before[field], after[field]))
  return Object.assign({}, ...changed.map((field) => SENT[field](after)))
}
