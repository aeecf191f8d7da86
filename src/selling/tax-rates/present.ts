import { countryDetails } from '#identity/addresses/countries.facts.ts'
import { wireTime } from '#platform/wire/times.ts'
import type { AppliedRate } from '#selling/taxes/rules.ts'
import { percentOf } from './rules.ts'
import type { TaxRate, TaxTable } from './schema.ts'
import type { TaxRateState } from './state.ts'

/** The rates that apply, as the API shows them. */
export function presentTaxTable(rates: readonly AppliedRate[]): TaxTable {
  return {
    rates: rates.map(({ country, taxClass, rate, source, since }) => ({
      country_code: country,
      country_name: countryDetails(country).Country,
      tax_class: taxClass,
      percent: percentOf(rate),
      source,
      since: since === undefined ? null : since.toISOString().slice(0, 10),
    })),
  }
}

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
