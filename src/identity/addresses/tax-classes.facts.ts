import type { Rate } from './vat-rates.facts.ts'

/** What is taxed alike: each class has one rate in each country. */
export const TAX_CLASSES = ['standard', 'reduced', 'e-book', 'zero'] as const
export type TaxClass = (typeof TAX_CLASSES)[number]

/** The classes whose rates differ from country to country. */
export const RATED_CLASSES = ['standard', 'reduced', 'e-book'] as const
export type RatedClass = (typeof RATED_CLASSES)[number]

export type ReducedClass = Exclude<RatedClass, 'standard'>

/** Rates in percent, each with the day until which it applied (exclusive); the last one applies now. */
type Percents = number | { until: string; percent: number }[]

const NOW = '9999-12-31'
const changed = (before: number, day: string, after: number): Percents => [
  { until: day, percent: before },
  { until: NOW, percent: after },
]

/**
 * The rates below the standard rate, as the tax authorities of the countries and the European Commission (Taxes in Europe
 * Database) had published them by 2026-01. A country with several reduced rates appears with the one of printed books,
 * unless those are free of tax there. The rate of e-books also applies to audiobooks in most countries. A class that a country
 * does not have, such as e-books in Denmark and Hungary, has the standard rate.
 */
const REDUCED: Readonly<Record<string, Partial<Record<ReducedClass, Percents>>>> = {
  AT: { reduced: 10, 'e-book': 10 },
  BE: { reduced: 6, 'e-book': 6 },
  BG: { reduced: 9, 'e-book': 9 },
  CH: { reduced: changed(2.5, '2024-01-01', 2.6), 'e-book': changed(2.5, '2024-01-01', 2.6) },
  CY: { reduced: changed(5, '2023-07-21', 3), 'e-book': changed(19, '2023-07-21', 3) },
  CZ: { reduced: changed(10, '2024-01-01', 12), 'e-book': changed(10, '2024-01-01', 0) },
  DE: { reduced: 7, 'e-book': 7 },
  EE: { reduced: 9, 'e-book': 9 },
  ES: { reduced: 4, 'e-book': 4 },
  FI: {
    reduced: [{ until: '2025-01-01', percent: 10 }, ...asList(changed(14, '2026-01-01', 13.5))],
    'e-book': [{ until: '2025-01-01', percent: 10 }, ...asList(changed(14, '2026-01-01', 13.5))],
  },
  FR: { reduced: 5.5, 'e-book': 5.5 },
  GB: { reduced: 5, 'e-book': 0 },
  GR: { reduced: 6, 'e-book': 6 },
  HR: { reduced: 5, 'e-book': 5 },
  HU: { reduced: 5 },
  IE: { reduced: 13.5, 'e-book': changed(9, '2024-01-01', 0) },
  IT: { reduced: 4, 'e-book': 4 },
  LT: { reduced: changed(9, '2026-01-01', 5), 'e-book': changed(9, '2026-01-01', 5) },
  LU: { reduced: 3, 'e-book': 3 },
  LV: { reduced: 5, 'e-book': 5 },
  MT: { reduced: 5, 'e-book': 5 },
  NL: { reduced: 9, 'e-book': 9 },
  NO: { reduced: 15, 'e-book': 0 },
  PL: { reduced: 5, 'e-book': 5 },
  PT: { reduced: 6, 'e-book': 6 },
  RO: { reduced: changed(5, '2025-08-01', 11), 'e-book': changed(5, '2025-08-01', 11) },
  SE: { reduced: 6, 'e-book': 6 },
  SI: { reduced: 5, 'e-book': 5 },
  SK: { reduced: changed(10, '2025-01-01', 5), 'e-book': changed(20, '2025-01-01', 5) },
}

/** Liechtenstein shares the law of Switzerland. */
const SAME_AS: Readonly<Record<string, string>> = { LI: 'CH' }

const PER_PERCENT = 1000

function asList(percents: Percents): { until: string; percent: number }[] {
  return typeof percents === 'number' ? [{ until: NOW, percent: percents }] : percents
}

/** The reduced rate of a country (two-letter code) for a class at a time; undefined if it has none. */
export function reducedRate(taxClass: ReducedClass, country: string, now: Date): Rate | undefined {
  const percents = REDUCED[SAME_AS[country] ?? country]?.[taxClass]
  if (percents === undefined) return undefined
  const percent = asList(percents).find(({ until }) => now.getTime() < Date.parse(until))?.percent
  return percent === undefined ? undefined : Math.round(percent * PER_PERCENT)
}

/** Since when the rate of a class applies in a country; undefined if it has none, or the data does not say. */
export function reducedSince(taxClass: ReducedClass, country: string, now: Date): Date | undefined {
  const percents = REDUCED[SAME_AS[country] ?? country]?.[taxClass]
  const ended = percents === undefined ? [] : asList(percents).filter(({ until }) => Date.parse(until) <= now.getTime())
  const last = ended.at(-1)
  return last && new Date(last.until)
}
