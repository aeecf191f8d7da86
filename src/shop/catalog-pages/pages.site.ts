import type { Card, LinkedCategory } from './cards.present.ts'
import type { FilterForm } from './filters/present.ts'
import type { Shelf } from './home/present.ts'
import type { CategoryView, ProductView } from './pages.present.ts'
import type { ReviewsView } from './reviews.present.ts'

/** A page of a list of products. */
type CardList = {
  cards: Card[]
  /** The value of `after` in the address of the next page, if there is one. */
  next: string | undefined
  /** What the list can be filtered and sorted by. */
  filters: FilterForm
  /** How many products the filters leave; nothing if they were not counted. */
  count: number | undefined
}

export type HomePage = {
  /** The product with the large picture: the one that the owner chose, or the newest that has a picture. */
  hero: Card | undefined
  /** The newest products but the hero; none if the owner has arranged the page. */
  newest: Card[]
  /** What the owner has arranged, or else the categories at the top with their first products. */
  shelves: Shelf[]
  /** What everybody can try at `/sample`. */
  sample: { title: string } | undefined
}

export type CategoryPage = CardList & {
  category: CategoryView
  /** How many products are in the category, or how many were counted. */
  total: number
  /** Are these all of them? */
  is_total: boolean
}

export type ProductPage = {
  product: ProductView
  /** Products of the same people, of the same genres, or of its category. */
  related: Card[]
  /** What buyers say, if the shop takes reviews. */
  reviews: ReviewsView | undefined
  /** The nearest category of the product. */
  category: LinkedCategory | undefined
  /** Where the product can be tried, if it is the sample of the shop. */
  sample_url: string | undefined
  /** Is this the page that only the company itself can see, of a product that may be hidden? */
  is_owner_preview?: boolean
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
