import { smallestCents } from '#catalog/currency-rates/currencies.facts.ts'
import { countryDetails } from '#identity/addresses/countries.facts.ts'
import { entryRepeated, fieldOutOfRange } from '#platform/errors/faults.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import { partOfCents } from '#platform/wire/money.ts'
import { priceOutdated, priceUnknown } from '../errors.ts'
import { PRICE_MAX_CENTS } from '../schema.ts'
import type { PriceState } from '../state.ts'
import type { PriceChangeInput, Rounding } from './schema.ts'

const UNIT = 100
/** A percentage has two decimals, so that a hundredth of it is a whole number. */
const WHOLE = 10_000

/** The cents that amounts end in. */
const ENDINGS: Record<Exclude<Rounding, 'none' | 'whole'>, readonly number[]> = {
  '99': [99],
  '95': [95],
  '90': [90],
  '49_or_99': [49, 99],
}

/** The amount after a change by so many hundredths of a percent. What is free stays free, and nothing becomes free. */
export function changeCents(cents: number, hundredths: number, rounding: Rounding, currency: string): number {
  if (cents === 0) return 0
  const exact = partOfCents(cents, WHOLE + hundredths, WHOLE)
  const step = rounding === 'whole' ? UNIT : smallestCents(currency)
  if (rounding === 'none' || step === UNIT) return Math.max(step, partOfCents(exact, 1, step) * step)
  return nearest(exact, ENDINGS[rounding as keyof typeof ENDINGS])
}

/** The nearest amount with one of the endings; of two that are as near, the higher one. */
function nearest(cents: number, endings: readonly number[]): number {
  const unit = Math.floor(cents / UNIT) * UNIT
  const candidates = [-UNIT, 0, UNIT].flatMap((offset) => endings.map((ending) => unit + offset + ending))
  return candidates
    .filter((candidate) => candidate > 0)
    .reduce((best, each) => (Math.abs(each - cents) <= Math.abs(best - cents) ? each : best))
}

export type Changed = { before: PriceState; after: PriceState }

/** A price as it is stored, and the version of it that callers know. */
export type Versioned = { price: PriceState; etag: string }

/** The prices after the change. Throws with everything that is wrong at once, so that all of them change or none. */
export function changeByPercent(input: PriceChangeInput, found: readonly Versioned[], now: Date): Changed[] {
  const report = new FieldReport()
  const { percent, rounding = 'none', prices } = input
  const hundredths = Math.round(percent * UNIT)
  if (Math.abs(percent * UNIT - hundredths) > 1e-6)
    report.add('percent', fieldOutOfRange('must have at most two decimals'))
  const known = new Map(found.map((each) => [each.price.id, each]))
  const ids = prices.map(({ id }) => id)
  const first = new Map(ids.map((id, index) => [id, index] as const).reverse())
  const changed: Changed[] = []
  for (const [index, { id, etag }] of prices.entries()) {
    const current = known.get(id)
    if (first.get(id) !== index) report.add(`prices[${index}].id`, entryRepeated())
    else if (current === undefined) report.add(`prices[${index}].id`, priceUnknown())
    else if (etag !== undefined && etag !== current.etag)
      report.add(`prices[${index}].etag`, priceOutdated(current.price.title))
    else {
      const after = withAmounts(current.price, (cents, currency) => changeCents(cents, hundredths, rounding, currency))
      if ([...after.currencies, ...after.countries].some(({ cents }) => cents > PRICE_MAX_CENTS))
        report.add(`prices[${index}].id`, fieldOutOfRange('would be more than a price can be'))
      changed.push({ before: current.price, after: { ...after, modified_at: now } })
    }
  }
  report.throwIfAny()
  return changed
}

function withAmounts(price: PriceState, change: (cents: number, currency: string) => number): PriceState {
  return {
    ...price,
    currencies: price.currencies.map(({ currency, cents }) => ({ currency, cents: change(cents, currency) })),
    countries: price.countries.map(({ country_code, cents }) => ({
      country_code,
      cents: change(cents, countryDetails(country_code).Currency),
    })),
  }
}
