import type { Card, LinkedCategory } from './cards.present.ts'
import type { FilterForm } from './filters/present.ts'
import type { Shelf } from './home/present.ts'
import type { ClubView, WallPicture } from './memberships/club.present.ts'
import type { GroupOffer, OpenedBy } from './memberships/present.ts'
import type { PlanView } from './memberships/views.present.ts'
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
  /** The memberships that the visitor can sign up to, three at most. */
  memberships: GroupOffer[]
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
  /** The membership that opens the product for the visitor. */
  membership: OpenedBy | undefined
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

export type MembershipPage = {
  /** The group. */
  club: ClubView
  /** The plans that the visitor can sign up to, the lowest price first. */
  plans: PlanView[]
  /** What members may do with what it includes, in sentences. */
  terms: string[]
  /** What it includes, the newest first. */
  cards: Card[]
  /** How many things it includes. */
  count: number
  /** Are there more than were counted? */
  is_more: boolean
  /** The value of `after` in the address of the next page, if there is one. */
  next: number | undefined
  /** Pictures for the head of the page. */
  wall: WallPicture[]
  /** The day on which somebody who signs up now is reminded that the trial ends; nothing if nobody is. */
  reminded_at: Date | undefined
  /** Has the visitor a subscription to it? */
  is_member: boolean
  /** Had the visitor a subscription before, so that there is no second trial? */
  had_trial: boolean
  /** Was the visitor led here because the chosen plan is not offered any more? */
  is_plan_gone: boolean
  /** The country that prices are for; nothing if it is not known. */
  country_name: string | undefined
  /** Is this the page that only the company itself can see, of a group that may be closed? */
  is_owner_preview: boolean
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
    /** A subscription group and its plans. */
    membership: MembershipPage
    /** The search and what it found. */
    search: SearchPage
  }
}
