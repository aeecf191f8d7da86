import type { Schemas } from '@licet/client'
import { timeOf } from '../words/format.ts'
import type { Product } from './queries.ts'

export type ProductInput = Schemas['ProductChange']

export type Text = {
  /** A language that is new has no id yet. */
  id?: number
  language_id: string
  title: string
  description: string
  seo_title: string
  seo_description: string
}
/** An amount as it was typed, in a currency. */
export type Amount = { currency: string; typed: string }
/**
 * All fields of an offer are sent back: the API replaces the list. Amounts that were typed stand for the price model that
 * has them, which is found or made when the product is saved.
 */
export type Offer = NonNullable<ProductInput['price_license_binding']>[number] & { amounts?: Amount[] | undefined }
/** A new picture has no id yet. */
export type DraftPicture = { id?: number; src: string }

/** What the editor changes of a product. Numbers and lists of words are kept as they were typed. */
export type Draft = {
  title: string
  published: boolean
  preSales: boolean
  /** As the field for a day and a time has it, in the time zone of the reader; empty for none. */
  releasedAt: string
  texts: Text[]
  offers: Offer[]
  pictures: DraftPicture[]
  /** The ids of the categories. */
  categories: number[]
  /** The `product_id`s of what a collection includes, in their order. */
  included: string[]
  /** The ids of the themes in which it is shown; none for all. */
  themes: number[]
  groups: string
  genres: string
  studios: string
  people: string
  authors: string
  directors: string
  year: string
  isbn: string
  age: string
  gtin: string
  weight: string
  runtimeMinutes: string
  managesStock: boolean
  stock: string
  hasTrial: boolean
  taxClass: Product['tax_class']
}

export const newText = (language_id: string): Text => ({
  language_id,
  title: '',
  description: '',
  seo_title: '',
  seo_description: '',
})

export const joined = (words: readonly string[]) => words.join(', ')

/** A time of the service as a field for a day and a time has it. */
function localTime(wire: string | null): string {
  if (wire === null) return ''
  const time = timeOf(wire)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** In the API, -1 is all. */
function themesOf({ themes }: Product): number[] {
  const ids = themes.map(({ theme_id }) => theme_id)
  return ids.includes(-1) ? [] : ids
}

export function draftOf(product: Product): Draft {
  return {
    title: product.title,
    published: product.published,
    preSales: product.pre_sales,
    releasedAt: localTime(product.published_at),
    texts: product.locales.map(({ id, language_id, title, description, seo_title, seo_description }) => ({
      id,
      language_id,
      title,
      description,
      seo_title,
      seo_description,
    })),
    offers: product.price_license_binding.map((offer) => ({ ...offer })),
    pictures: product.preview_pictures.map(({ id, src }) => ({ id, src })),
    categories: product.categories.map(({ category_id }) => category_id),
    included: product.included_products.map(({ product_id }) => product_id),
    themes: themesOf(product),
    groups: joined(product.groups.map(({ group_id }) => group_id)),
    genres: joined(product.tagging_genre.map(({ value }) => value)),
    studios: joined(product.tagging_studios.map(({ value }) => value)),
    people: joined(product.tagging_people.map(({ person, role }) => (role === '' ? person : `${person}: ${role}`))),
    authors: joined(product.tagging_script.map(({ person }) => person)),
    directors: joined(product.tagging_director.map(({ person }) => person)),
    year: product.tagging.year === null ? '' : String(product.tagging.year),
    isbn: product.tagging.isbn ?? '',
    age: product.tagging.age === undefined ? '' : String(product.tagging.age),
    gtin: product.gtin ?? '',
    weight: product.weight == null ? '' : String(product.weight),
    runtimeMinutes: product.runtime == null ? '' : String(Math.round(product.runtime / 60)),
    managesStock: product.manage_stock,
    stock: product.items_in_stock === null ? '' : String(product.items_in_stock),
    hasTrial: product.allow_download_trial === 1,
    taxClass: product.tax_class,
  }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The words of a list that was typed with commas. */
export function wordsOf(typed: string): string[] {
  return typed
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
}

const numberOrNull = (typed: string) => (typed.trim() === '' ? null : Number(typed))
const people = (typed: string) => wordsOf(typed).map((person) => ({ person }))
/** `Jane Doe: Anna` is a person with a role. */
function withRole(typed: string): { person: string; role: string } {
  const [person = '', role = ''] = typed.split(':')
  return { person: person.trim(), role: role.trim() }
}

const values = (typed: string) => wordsOf(typed).map((value) => ({ value }))

/** The languages that were taken away are named, because the API keeps those that a body does not have. */
function sentTexts(after: readonly Text[], before: readonly Text[]): NonNullable<ProductInput['locales']> {
  const gone = before.filter(({ id }) => id !== undefined && !after.some((text) => text.id === id))
  return [...after, ...gone.map(({ id }) => ({ id: id ?? null, _destroy: true }))]
}

/** Several fields are parts of one object, so each of them sends all that differ. */
function sentTagging(after: Draft, before: Draft): ProductInput {
  return {
    tagging: {
      ...(after.year === before.year ? {} : { year: numberOrNull(after.year) }),
      ...(after.isbn === before.isbn ? {} : { isbn: after.isbn.trim() || null }),
      ...(after.age === before.age ? {} : { age: numberOrNull(after.age) }),
    },
  }
}

/** How the fields of the draft are sent. */
const SENT: { [Field in keyof Draft]: (after: Draft, before: Draft) => ProductInput } = {
  title: ({ title }) => ({ title }),
  published: ({ published }) => ({ published }),
  preSales: ({ preSales }) => ({ pre_sales: preSales }),
  releasedAt: ({ releasedAt }) => ({
    published_at: releasedAt === '' ? null : new Date(releasedAt).toISOString().slice(0, 19),
  }),
  texts: ({ texts }, before) => ({ locales: sentTexts(texts, before.texts) }),
  offers: ({ offers }) => ({ price_license_binding: offers }),
  pictures: ({ pictures }) => ({ preview_pictures: pictures }),
  categories: ({ categories }) => ({ categories: categories.map((category_id) => ({ category_id })) }),
  included: ({ included }) => ({ included_products: included.map((product_id) => ({ product_id })) }),
  themes: ({ themes }) => ({ themes: themes.map((theme_id) => ({ theme_id })) }),
  groups: ({ groups }) => ({ groups: wordsOf(groups).map((group_id) => ({ group_id })) }),
  genres: ({ genres }) => ({ tagging_genre: values(genres) }),
  studios: ({ studios }) => ({ tagging_studios: values(studios) }),
  people: (after) => ({ tagging_people: wordsOf(after.people).map(withRole) }),
  authors: ({ authors }) => ({ tagging_script: people(authors) }),
  directors: ({ directors }) => ({ tagging_director: people(directors) }),
  year: sentTagging,
  isbn: sentTagging,
  age: sentTagging,
  gtin: ({ gtin }) => ({ gtin }),
  weight: ({ weight }) => ({ weight: Number(weight.replace(',', '.')) }),
  runtimeMinutes: ({ runtimeMinutes }) => ({ runtime: Math.round(Number(runtimeMinutes) * 60) }),
  managesStock: ({ managesStock }) => ({ manage_stock: managesStock }),
  stock: ({ stock }) => ({ items_in_stock: numberOrNull(stock) }),
  hasTrial: ({ hasTrial }) => ({ allow_download_trial: hasTrial ? 1 : 0 }),
  taxClass: ({ taxClass }) => ({ tax_class: taxClass }),
}

/** The fields that differ from what was read, as the API takes them. Nothing else is sent, so nothing else is overwritten. */
export function changesIn(before: Draft, after: Draft): ProductInput {
  const fields = Object.keys(SENT) as (keyof Draft)[]
  const changed = fields.filter((field) => !isSame(before[field], after[field]))
  return Object.assign({}, ...changed.map((field) => SENT[field](after, before)))
}
