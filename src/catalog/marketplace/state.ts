import type { Hosts } from '#catalog/theme-settings/domains.rules.ts'
import type { StoredThemeLocale } from '#catalog/theme-settings/state.ts'

/** The offer of a company in the marketplace, with the theme of the shop that the entry shows. */
export type Offer = {
  company_id: number
  /** The `market_id`. */
  id: number
  theme_setting_id: number
  cost_to_licensees_percent: number
  /** Null offers the products of all categories, and those in none. */
  category_ids: number[] | null
  /** The companies that see the offer; null: every company. */
  company_ids: number[] | null
  /** Null where the company has no shop. */
  theme_id: number | null
  created_at: Date
  updated_at: Date
}

/** The fields of a shop that its entry shows. */
export type EntryShop = { shop_icon: string; locales: StoredThemeLocale[]; hosts: Hosts }

/** An entry of the marketplace, with everything that it shows. */
export type EntryRow = {
  id: number
  company_name: string
  language: string
  /** The shop that the entry shows; null where the company has none. */
  shop: EntryShop | null
  product_count: number
  cost_to_licensees_percent: number
}
