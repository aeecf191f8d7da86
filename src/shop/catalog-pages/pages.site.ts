import type { Card, LinkedCategory } from './cards.present.ts'
import type { CategoryView, ProductView } from './pages.present.ts'

/** A page of a list of products. */
type CardList = {
  cards: Card[]
  /** The value of `after` in the address of the next page, if there is one. */
  next: string | undefined
}

export type HomePage = {
  /** The newest product that has a picture. */
  hero: Card | undefined
  /** The newest products but the hero. */
  newest: Card[]
  /** The categories at the top, with their first products. */
  shelves: { category: LinkedCategory; cards: Card[] }[]
  /** What everybody can try at `/sample`. */
  sample: { title: string } | undefined
}

export type CategoryPage = CardList & { category: CategoryView }

export type ProductPage = {
  product: ProductView
  /** Other products of its category. */
  related: Card[]
  /** The nearest category of the product. */
  category: LinkedCategory | undefined
  /** Where the product can be tried, if it is the sample of the shop. */
  sample_url: string | undefined
}

export type SearchPage = CardList & {
  /** What was searched for; empty before that. */
  words: string
}

declare module '#shop/site/pages.site.ts' {
  interface ShopPages {
    /** The first page of the shop. */
    home: HomePage
    /** A category and its products. */
    category: CategoryPage
    /** A product and its offers. */
    product: ProductPage
    /** The search and what it found. */
    search: SearchPage
  }
}
