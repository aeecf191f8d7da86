/** What something costs in one country, in the currency of that country. */
export type CountryPrice = { country_code: string; cents: number }

/** What something costs in one currency, wherever the customer is. */
export type CurrencyPrice = { currency: string; cents: number }

/** A price model as it is kept; both lists stand in the order of the shop owner. */
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
