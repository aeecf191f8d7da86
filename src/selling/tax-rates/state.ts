/** A tax rate that a company has set for a country. */
export type TaxRateState = {
  company_id: number
  id: number
  country_code: string
  name: string
  /** Thousandths of a percent. */
  rate: number
  created_at: Date
  updated_at: Date
}
