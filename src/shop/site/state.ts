import type { Shop, StoredThemeLocale } from '#catalog/theme-settings/state.ts'
import type { CustomerSession, SignedInCustomer } from '#people/customers/sessions/state.ts'
import type { PricedMethod } from '#selling/shipping-methods/state.ts'
import type { OwnRates } from '#selling/taxes/rules.ts'

/** A request for a page of a shop: which shop, under which address, and for whom. */
export type ShopVisit = {
  shop: Shop
  /** Empty on a host of the shop, `/shop/{id}` on the service's own host. Every link begins with it. */
  base: string
  /** One of the languages of the shop. */
  language: string
  /** The languages in the visitor's order of preference, for texts that not every language has. */
  languages: readonly string[]
  /** The country that prices are shown for, as a two-letter code in capitals. */
  country: string
  currency: string
  /** The currencies that the shop has prices in. */
  currencies: readonly string[]
  /** Undefined for guests. */
  customer: SignedInCustomer | undefined
  session: CustomerSession | undefined
  /** A guest whose orders are open in this browser. The address is not proved, so nobody is signed in. */
  guest: { customer: SignedInCustomer; session: CustomerSession } | undefined
  /** The companies whose products the shop mirrors: their changes show here too. */
  owners: readonly number[]
  /** The categories that the menu names, or else those at the top. */
  navigation: readonly NavigationRow[]
  /** The tax rates that the company has set itself, and how it ships goods. */
  ownRates: OwnRates
  shippingMethods: readonly PricedMethod[]
  /** Does the company sell plans, or did it? */
  sellsPlans: boolean
  /** Does a user of the company look at a shop that is offline for everybody else? */
  isPreview: boolean
  /** What time it is in the company, if that is a sandbox. */
  sandboxTime: Date | undefined
  /** The long texts of a shop with changes that are not saved; undefined for a shop as it is. */
  draft: { locales: StoredThemeLocale[] } | undefined
}

/** What a visitor has chosen; empty texts where there is no choice. It is kept in a cookie of the shop. */
export type Preferences = { language: string; country: string; currency: string }

/** A category in the navigation of a shop. */
export type NavigationRow = { id: number; title: string; locales: { language: string; title: string }[] }
