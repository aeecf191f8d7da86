import type { Tagging } from '#catalog/products/parts/rules.ts'
import type { LicenseForSale, PriceForSale } from '#catalog/products/sale/state.ts'
import type { TaxClass } from '#identity/addresses/tax-classes.facts.ts'
import type { GroupLocale } from '#people/groups/state.ts'
import type { PlanState } from '#selling/plans/state.ts'

/** A stored picture of a product or a category. Those of locales have no position. */
export type PictureRow = {
  company_id: number
  id: number
  file: string
  width: number | null
  height: number | null
  position: number | null
}

/** A title in one language, with the picture of that language. */
export type TitleRow = { language: string; title: string; picture_id: number | null }

/** A trailer, a preview or a trial. */
export type ShownFileRow = {
  company_id: number
  id: number
  name: string
  role: string
  /** Empty: of no language. */
  language: string
  content_type: string
  /** In seconds; nothing until the file was checked, or if it does not say. */
  duration: number | null
}

/** A product as lists show it. */
export type CardRow = {
  id: number
  product_id: string
  product_type: number
  title: string
  runtime: number | null
  /** The time of its release, if that lies ahead. */
  released_at: Date | null
  genre: string | null
  year: number | null
  /** The versions of goods in every language, such as `Enamel, 350 ml`. */
  versions: { language: string; version: string }[] | null
  pre_sales: boolean
  has_content: boolean
  locales: TitleRow[]
  pictures: PictureRow[] | null
  tax_class: TaxClass
  /** Each with the terms of its license that the tax depends on. */
  prices: (PriceForSale & { tax_handling: number; physical: number })[]
  /** The place in the list, for the link to the next page. */
  place: string
}

/** A card on the shelf of a category. */
export type ShelfRow = CardRow & { category: CategoryLink; count: number }

/** A category in a path or in a list of subcategories. */
export type CategoryLink = { id: number; title: string; locales: { language: string; title: string }[] }

export type CategoryText = {
  language: string
  title: string
  description: string
  seo_title: string
  seo_description: string
  picture_id: number | null
}

export type CategoryRow = {
  id: number
  title: string
  locales: CategoryText[]
  /** From the top down, without the category itself. */
  path: CategoryLink[] | null
  children: CategoryLink[] | null
}

export type ProductText = {
  language: string
  title: string
  description: string
  product_url: string
  version: string
  seo_title: string | null
  seo_description: string | null
  seo_keywords: string | null
  picture_id: number | null
}

/** A license with the texts and terms that an offer shows. */
export type OfferLicense = Omit<LicenseForSale, 'terms'> & LicenseForSale['terms']

export type OfferRow = {
  license_id: number | null
  hd: boolean | null
  audio_type: number | null
  num_users: number | null
  license: OfferLicense | null
  price: PriceForSale | null
  compare: PriceForSale | null
}

/** A product that a collection or a variation includes. */
export type PartRow = {
  id: number
  product_id: string
  product_type: number
  title: string
  runtime: number | null
  locales: TitleRow[]
  pictures: PictureRow[] | null
  /** Its previews, on the page of a product that includes it. */
  files?: ShownFileRow[] | null
}

/** A product that a cart or an order names. */
export type NamedRow = PartRow & { drm_protected: boolean }

/** A product with everything that its page shows. */
export type ProductRow = {
  id: number
  product_id: string
  product_type: number
  title: string
  version: string
  runtime: number | null
  released_at: Date | null
  updated_at: Date
  gtin: string | null
  supplier: string | null
  weight: number | null
  items_in_stock: number | null
  manage_stock: boolean
  /** Selling stops at this level. */
  stock_floor: number
  pre_sales: boolean
  tax_class: TaxClass
  has_content: boolean
  locales: ProductText[]
  tagging: Tagging
  chapters: { id: number; name: string; runtime: number }[]
  pictures: PictureRow[] | null
  offers: OfferRow[]
  parts: (PartRow & { has_content: boolean })[] | null
  /** The first of its enabled categories, with those above it, from the top down. */
  path: CategoryLink[] | null
  /** What its files are that are sold. */
  contents: { role: string; language: string; content_type: string }[] | null
  files: ShownFileRow[] | null
  /** The groups whose members may use it. */
  memberships: IncludingGroup[] | null
}

/** A group that includes a product; `opens_at` is the time from which, if that lies ahead. */
export type IncludingGroup = OfferedGroup & { opens_at: string | null }

/** A group with the plans that it offers. */
export type OfferedGroup = { group_id: string; title: string; locales: GroupLocale[]; plans: OfferedPlan[] | null }

/** A plan as something that a shop offers. */
export type OfferedPlan = Pick<PlanState, 'interval' | 'interval_count' | 'trial_days'> & { price: PriceForSale }
