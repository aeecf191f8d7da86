import { findCountry } from '#identity/addresses/countries.facts.ts'
import { countryUnknown } from '#identity/addresses/errors.ts'
import { RATE_SCALE, type Rate } from '#identity/addresses/vat-rates.facts.ts'
import { fieldOutOfRange } from '#platform/errors/faults.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import type { TaxRateChange, TaxRateInput } from './schema.ts'
import type { TaxRateState } from './state.ts'

const DEFAULT_NAME = 'VAT'
const PER_PERCENT = RATE_SCALE / 100

export function newTaxRate(companyId: number, id: number, input: TaxRateInput, now: Date): TaxRateState {
  const blank = {
    company_id: companyId,
    id,
    country_code: '',
    tax_class: 'standard' as const,
    name: DEFAULT_NAME,
    rate: 0,
    created_at: now,
    updated_at: now,
  }
  return changeTaxRate(blank, input, now)
}

/** The tax rate after a change: fields that the input does not name stay. */
export function changeTaxRate(before: TaxRateState, input: TaxRateChange, now: Date): TaxRateState {
  const report = new FieldReport()
  reportUnstorable(input, report)
  const country = input.country_code === undefined ? before.country_code : findCountry(input.country_code)?.code
  if (country === undefined) report.add('country_code', countryUnknown('is not a country'))
  const rate = input.percent === undefined ? before.rate : asRate(input.percent)
  if (rate === undefined) report.add('percent', fieldOutOfRange('must be from 0 to 100, with three decimals at most'))
  report.throwIfAny()
  return {
    ...before,
    country_code: country ?? before.country_code,
    tax_class: input.tax_class ?? before.tax_class,
    name: input.name === undefined ? before.name : input.name.trim() || DEFAULT_NAME,
    rate: rate ?? before.rate,
    updated_at: now,
  }
}

/** A rate has three decimals of a percent; undefined if the number has more, or is out of range. */
function asRate(percent: number): Rate | undefined {
  const rate = Math.round(percent * PER_PERCENT)
  const isExact = Math.abs(percent * PER_PERCENT - rate) < 1e-6
  return isExact && rate >= 0 && rate <= RATE_SCALE ? rate : undefined
}

export function percentOf(rate: Rate): number {
  return rate / PER_PERCENT
}
