import type { HostKind, Hosts } from './domains.rules.ts'
import type { StoredMenuEntry, StoredSection } from './home/state.ts'

/** The texts of a shop that have a page of their own. */
export type ShopTextName = 'about' | 'imprint' | 'terms' | 'withdrawal' | 'privacy'

/** A stored locale of a theme setting. */
export type StoredThemeLocale = {
  id: number
  language: string
  shop_name: string
  shop_description: string
  offline_message: string
  seo_title: string
  seo_description: string
  seo_keywords: string
} & Record<ShopTextName, string>

/** A locale as pages need it. The long texts are read by the pages that show them; `written` names those that exist. */
export type PageLocale = Omit<StoredThemeLocale, ShopTextName> & { written: ShopTextName[] }

/** What the home page shows in which order, and where the menu leads; null: as the categories are. */
export type HomeState = { home_sections: StoredSection[] | null; menu: StoredMenuEntry[] | null }

/** A stored theme setting: a shop. */
export type ThemeSettingState = {
  company_id: number
  id: number
  theme_id: number
  enabled: boolean
  hosts: Hosts
  /** Those of its hosts that answer. */
  answering: readonly string[]
  homepage_url: string
  facebook_url: string
  google_url: string
  twitter_url: string
  youtube_url: string
  affiliates_enabled: boolean
  affiliate_percentage: number
  allow_reviews: boolean
  allow_anonymous_reviews: boolean
  need_approval_of_reviews: boolean
  send_email_on_new_review: boolean
  newsletter_enabled: boolean
  google_tracking_id: string
  google_ecommerce_enabled: boolean
  google_shopping_account_id: string
  html_tag: string
  meta_tag: string
  sample_product_id: number | null
  sample_product_license_id: number | null
  shop_offline: boolean
  shop_icon: string
  accent_color: string
  updated_at: Date
  locales: StoredThemeLocale[]
  /** The origins of the sites that may show the shop in a frame. */
  frame_origins: string[]
  /** Customers are reminded of their carts after as many hours; null: never. */
  cart_reminder_hours: number | null
  /** Does the player name the buyer on the picture? */
  player_watermark: boolean
} & HomeState

/** A shop as its pages need it. `kind` distinguishes the domain of My Content from the others. */
export type Shop = {
  company_id: number
  id: number
  kind: HostKind
  theme_id: number
  /** Also true while the company has turned all its shops off. */
  shop_offline: boolean
  /** The hosts that answer. */
  hosts: Partial<Hosts>
  homepage_url: string
  facebook_url: string
  google_url: string
  twitter_url: string
  youtube_url: string
  shop_icon: string
  /** The service's own copy of the icon; null while there is none. */
  icon: { id: number; file: string } | null
  accent_color: string
  html_tag: string
  meta_tag: string
  newsletter_enabled: boolean
  allow_reviews: boolean
  allow_anonymous_reviews: boolean
  need_approval_of_reviews: boolean
  send_email_on_new_review: boolean
  sample_product_id: number | null
  sample_product_license_id: number | null
  /** Does the player name the buyer on the picture? */
  player_watermark: boolean
  locales: PageLocale[]
  /** The company that sells, with its country and its currency. */
  company_name: string
  country_code: string
  currency: string
  /** 2: its prices are net. */
  tax_options: number
  /** The origins of the sites that may show the shop in a frame. */
  frame_origins: string[]
} & HomeState

/** A shop as a login needs it. */
export type ShopAddresses = Pick<Shop, 'company_id' | 'id' | 'frame_origins' | 'hosts'>
