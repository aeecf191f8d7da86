import type { ShopTextName } from '../state.ts'

export type HomeSectionKind = 'hero' | 'newest' | 'category' | 'products'

/** A title in one language. */
export type StoredTitle = { language: string; title: string }

/** A part of the home page. */
export type StoredSection = {
  kind: HomeSectionKind
  hidden: boolean
  category_id: number | null
  product_ids: number[]
  locales: StoredTitle[]
}

/** A link in the menu: to a category, to a page of the shop, or to any address. The others are null or empty. */
export type StoredMenuEntry = {
  category_id: number | null
  page: ShopTextName | null
  url: string
  locales: StoredTitle[]
}
