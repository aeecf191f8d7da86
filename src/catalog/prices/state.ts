/** The price in one country, in the currency of that country. */
export type CountryPrice = { country_code: string; cents: number }

/** The price in one currency, for customers in any country. */
export type CurrencyPrice = { currency: string; cents: number }

/** A stored price model; both lists keep the order of the shop owner. */
export type PriceState = {
  company_id: number
  id: number
  title: string
  valid: number
  countries: CountryPrice[]
  currencies: CurrencyPrice[]
  created_at: Date
  modified_at: Date
}

/** What a price model is used for: by how many products, as the price before a reduction, for shipping, and by plans. */
export type PriceUses = { id: number; products: number; compared: number; shipping_methods: number; plans: number }
