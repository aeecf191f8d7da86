import type { CountryPrice, CurrencyPrice } from '#prices/state.ts'

export type ShippingMethodState = {
  company_id: number
  id: number
  title: string
  price_id: number | null
  /** Two-letter codes; none: everywhere. */
  countries: string[]
  tracking_company: string
  /** With {tracking_number} where the number belongs; empty: there is none. */
  tracking_url: string
  /** The company that ships for this one. */
  partner_id: number | null
  valid: boolean
  created_at: Date
}

/** A way of shipping with what it costs; null: nothing. */
export type PricedMethod = ShippingMethodState & {
  price: { valid: number; countries: CountryPrice[]; currencies: CurrencyPrice[] } | null
}
