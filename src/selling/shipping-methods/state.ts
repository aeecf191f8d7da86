import type { CountryPrice, CurrencyPrice } from '#catalog/prices/state.ts'

export type ShippingMethodState = {
  company_id: number
  id: number
  title: string
  price_id: number | null
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

/** A shipping method with its price; null means free. */
export type PricedMethod = ShippingMethodState & {
  price: { valid: number; countries: CountryPrice[]; currencies: CurrencyPrice[] } | null
}
