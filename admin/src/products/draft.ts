import type { Schemas } from '@licet/client'
import type { Product } from './queries.ts'

export type ProductInput = Schemas['ProductChange']

export type Text = { language_id: string; title: string; description: string }
/** All fields of an offer are sent back: the API replaces the list. */
export type Offer = NonNullable<ProductInput['price_license_binding']>[number]

/** What the editor changes of a product. Numbers are kept as they were typed. */
export type Draft = {
  title: string
  published: boolean
  texts: Text[]
  offers: Offer[]
  runtimeMinutes: string
  managesStock: boolean
  stock: string
  taxClass: Product['tax_class']
}

export function draftOf(product: Product): Draft {
  return {
    title: product.title,
    published: product.published,
    texts: product.locales.map(({ language_id, title, description }) => ({ language_id, title, description })),
    offers: product.price_license_binding.map((offer) => ({ ...offer })),
    runtimeMinutes: product.runtime == null ? '' : String(Math.round(product.runtime / 60)),
    managesStock: product.manage_stock,
    stock: product.items_in_stock === null ? '' : String(product.items_in_stock),
    taxClass: product.tax_class,
  }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The fields that differ from what was read, as the API takes them. Nothing else is sent, so nothing else is overwritten. */
export function changesIn(before: Draft, after: Draft): ProductInput {
  return {
    ...(before.title === after.title ? {} : { title: after.title }),
    ...(before.published === after.published ? {} : { published: after.published }),
    ...(isSame(before.texts, after.texts) ? {} : { locales: after.texts }),
    ...(isSame(before.offers, after.offers) ? {} : { price_license_binding: after.offers }),
    ...(before.runtimeMinutes === after.runtimeMinutes
      ? {}
      : { runtime: Math.round(Number(after.runtimeMinutes) * 60) }),
    ...(before.managesStock === after.managesStock ? {} : { manage_stock: after.managesStock }),
    ...(before.stock === after.stock ? {} : { items_in_stock: after.stock === '' ? null : Number(after.stock) }),
    ...(before.taxClass === after.taxClass ? {} : { tax_class: after.taxClass }),
  }
}

export const isChanged = (changes: ProductInput): boolean => Object.keys(changes).length > 0
