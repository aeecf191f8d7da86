import type { LicenseLocale, LicenseTerms } from '#catalog/licenses/state.ts'
import type { CountryPrice, CurrencyPrice } from '#catalog/prices/state.ts'
import type { TaxClass } from '#identity/addresses/tax-classes.facts.ts'
import type { NotForSaleReason } from '../state.ts'

/** The terms of a license that decide on a sale. */
export type LicenseForSale = {
  id: number
  name: string
  valid: number
  tax_handling: number
  physical: number
  physical_weight: number
  physical_weight_type: number
  locales: LicenseLocale[]
  restriction_country: { id: number; country_code: string }[]
  restriction_dvd_region: { id: number; dvd_region: number }[]
  restriction_video_norm: { id: number; norm: number } | null
  /** As JSON stores them: the date is a text. */
  terms: Omit<LicenseTerms, 'expiration_date'> & { expiration_date: string | null }
}

export type PriceForSale = { valid: number; countries: CountryPrice[]; currencies: CurrencyPrice[] }

/** A binding of a product: a license and a price under which it is sold. */
export type BindingForSale = {
  license_id: number | null
  hd: boolean | null
  audio_type: number | null
  num_users: number | null
  license: LicenseForSale | null
  price: PriceForSale | null
}

/** The owner of a mirrored product, and the owner's share of a sale. */
export type Share = { owner_id: number; original_key: number; percent: number }

/** A product that a collection or a variation includes. The date is a text, because it comes as JSON. */
export type PartForSale = {
  id: number
  company_id: number
  product_id: string
  title: string
  product_type: number
  published_at: string | null
  /** Is there something to deliver? */
  has_content: boolean
  content_company_id: number
  content_key: number
}

/** A product as a sale needs it. */
export type ForSale = {
  id: number
  product_id: string
  title: string
  /** Was it sold under this title before? */
  is_title_known: boolean
  version: string
  product_type: number
  gtin: string | null
  weight: number | null
  manage_stock: boolean
  tax_class: TaxClass
  /** Null if it can be sold. */
  not_for_sale: NotForSaleReason | null
  published_at: Date | null
  pre_sales: boolean
  /** Is there something to deliver? */
  has_content: boolean
  share: Share | null
  /** Null for products that include no others. */
  parts: PartForSale[] | null
  bindings: BindingForSale[]
}
