import regions from 'sales-tax/res/region_countries.json' with { type: 'json' }
import rates from 'sales-tax/res/sales_tax_rates.json' with { type: 'json' }

/**
 * The standard rates of value added tax of the world, from a data set that is kept up to date. Rates of states and
 * islands inside a country are not told apart.
 */

/** A tax rate is a whole number of thousandths of a percent: 25500 is 25.5 %. */
export type Rate = number
export const RATE_SCALE = 100_000

type Entry = { rate: number; before?: Record<string, { rate: number }> }

/** The data set still has the rate of Liechtenstein before it changed with the Swiss one, whose law it shares. */
const SAME_AS: Record<string, string> = { LI: 'CH' }

const EU: ReadonlySet<string> = new Set(regions.EU)

export function isInEu(country: string): boolean {
  return EU.has(country)
}

/** The rate of a country (two letters) at a time: an entry tells which rates held before which moments. */
export function standardRate(country: string, now: Date): Rate {
  const entry = (rates as Record<string, Entry>)[SAME_AS[country] ?? country]
  if (entry === undefined) return 0
  const earlier = Object.entries(entry.before ?? {})
    .map(([end, { rate }]) => ({ end: new Date(end), rate }))
    .filter(({ end }) => now < end)
    .sort((one, other) => one.end.getTime() - other.end.getTime())
  return Math.round((earlier[0]?.rate ?? entry.rate) * RATE_SCALE)
}
