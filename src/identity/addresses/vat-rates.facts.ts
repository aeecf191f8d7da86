import regions from 'sales-tax/res/region_countries.json' with { type: 'json' }
import rates from 'sales-tax/res/sales_tax_rates.json' with { type: 'json' }

/**
 * The standard rates of value added tax of the world: those of the European Union and most other countries from the
 * data set of the package sales-tax, corrected where it lags behind. Rates of states and islands inside a country are
 * not distinguished.
 */

/** A tax rate is a whole number of thousandths of a percent: 25500 is 25.5 %. */
export type Rate = number
export const RATE_SCALE = 100_000

type Entry = { rate: number; before?: Record<string, { rate: number }> }

/** The data set still has the rate of Liechtenstein before it changed with the Swiss one, whose law it shares. */
const SAME_AS: Record<string, string> = { LI: 'CH' }

/** Rates in percent that differ from the data set, as the tax authorities of the countries published them by 2026-11. */
const CORRECTIONS: Record<string, number> = { KW: 0, QA: 0, BH: 10, LK: 18, EC: 15, PK: 18, TH: 7 }

const EU: ReadonlySet<string> = new Set(regions.EU)

export function isInEu(country: string): boolean {
  return EU.has(country)
}

/** A rate and the time until which it applied; the last one applies now. */
type Period = { until: number; rate: Rate }

const inThousandths = (rate: number): Rate => Math.round(rate * RATE_SCALE)

const periods = new Map([
  ...Object.entries<Entry>(rates).map(([country, entry]) => [country, read(entry)] as const),
  ...Object.entries(CORRECTIONS).map(([country, percent]) => [country, read({ rate: percent / 100 })] as const),
])

/** Reads the rates of an entry, with the times until which they applied. */
function read({ rate, before = {} }: Entry): Period[] {
  const earlier = Object.entries(before).map(([end, old]) => ({
    until: Date.parse(end),
    rate: inThousandths(old.rate),
  }))
  return [...earlier, { until: Number.POSITIVE_INFINITY, rate: inThousandths(rate) }].sort((a, b) => a.until - b.until)
}

/** The rate of a country (two-letter code) at a time. */
export function standardRate(country: string, now: Date): Rate {
  const known = periods.get(SAME_AS[country] ?? country)
  return known?.find(({ until }) => now.getTime() < until)?.rate ?? 0
}

/** The data has midnight of the country itself, which is the evening before in Greenwich. */
const HALF_DAY_MS = 43_200_000

/** A moment of the day since when the rate of a country applies; undefined if the data does not say. */
export function standardSince(country: string, now: Date): Date | undefined {
  const ended = periods.get(SAME_AS[country] ?? country)?.filter(({ until }) => until <= now.getTime())
  const last = ended?.at(-1)
  return last && new Date(last.until + HALF_DAY_MS)
}

/** The countries of the European Union, by code. */
export const EU_COUNTRIES: readonly string[] = [...EU].sort()
