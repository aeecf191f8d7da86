import type { CountryPrice, CurrencyPrice } from '#catalog/prices/state.ts'

/** What parcels up to a weight cost. */
export type WeightRate = {
  /** In grams; null: any weight. */
  weight_max: number | null
  /** Null: nothing. */
  price_id: number | null
}

export type ShippingMethodState = {
  company_id: number
  id: number
  title: string
  price_id: number | null
  /** Lightest first. If there are any, they apply instead of the price. */
  weight_rates: WeightRate[]
  /** In cents of the company's currency: goods that cost so much are shipped for nothing; null: never. */
  free_from: number | null
  /** Two-letter codes; an empty list means everywhere. */
  countries: string[]
  tracking_company: string
  /** A URL with {tracking_number} as a placeholder; empty if there is none. */
  tracking_url: string
  /** The company that ships for this one. */
  partner_id: number | null
  /** Methods are tried in this order, then by id. */
  position: number
  /** How long it takes; null if the company does not say. */
  delivery_days_min: number | null
  delivery_days_max: number | null
  /** False once it is deleted. */
  valid: boolean
  created_at: Date
  updated_at: Date
}

type ShippingPrice = { valid: number; countries: CountryPrice[]; currencies: CurrencyPrice[] }

/** A shipping method with its price; null means free. */
export type PricedMethod = ShippingMethodState & {
  price: ShippingPrice | null
  /** The prices that its rates by weight name. */
  rate_prices: (ShippingPrice & { id: number })[]
}

/** What is sent, as far as the choice of a shipping method depends on it. */
export type Parcel = { country: string; grams: number }
