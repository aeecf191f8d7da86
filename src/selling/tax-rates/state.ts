import type { RatedClass } from '#identity/addresses/tax-classes.facts.ts'

/** A tax rate that a company has set for a country and a class of products. */
export type TaxRateState = {
  company_id: number
  id: number
  country_code: string
  tax_class: RatedClass
  name: string
  /** Thousandths of a percent. */
  rate: number
  created_at: Date
  updated_at: Date
}
