import { countryDetails } from '#identity/addresses/countries.facts.ts'
import { wireTime } from '#platform/wire/times.ts'
import { percentOf } from './rules.ts'
import type { TaxRate } from './schema.ts'
import type { TaxRateState } from './state.ts'

/** A tax rate as the API shows it. */
export function presentTaxRate(tax: TaxRateState): TaxRate {
  return {
    id: tax.id,
    country_code: tax.country_code,
    country_name: countryDetails(tax.country_code).Country,
    tax_class: tax.tax_class,
    percent: percentOf(tax.rate),
    name: tax.name,
    created_at: wireTime(tax.created_at),
    updated_at: wireTime(tax.updated_at),
  }
}
