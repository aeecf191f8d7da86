import type { LicenseLocale } from '#catalog/licenses/state.ts'
import type { CountryPrice, CurrencyPrice } from '#catalog/prices/state.ts'

/** The license and the price of a way in which a product is sold. */
export type MarketTerm = {
  /** Null: goods have none. */
  license: { name: string; locales: LicenseLocale[] } | null
  currencies: CurrencyPrice[]
  countries: CountryPrice[]
}

/** What belongs to a product that another company offers, as one company sees it. */
export type MarketParts = {
  market_id: number
  company_name: string
  cost_to_licensees_percent: number
  /** The language of the company that looks. */
  language: string
  terms: MarketTerm[]
  /** The mirror that the company has of it. */
  mirror: { id: number; published: boolean } | null
}

export type MarketProductRow = MarketParts & {
  id: number
  company_id: number
  title: string
  product_type: number
  /** The document of the owner, of which others see a part. */
  document: string
}
