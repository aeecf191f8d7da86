import { readRates } from '#catalog/currency-rates/queries.ts'
import type { Rates } from '#catalog/currency-rates/rules.ts'
import type { Db } from '#platform/db/database.ts'

/** The rates change once a day, so pages need not ask for them each time. */
const KEPT_MS = 60_000

/** Reads the currency rates of the day, at most once a minute. */
export function createRates(db: Db): () => Promise<Rates> {
  let kept: { rates: Promise<Rates>; until: number } | undefined
  return () => {
    const now = performance.now()
    if (kept !== undefined && kept.until > now) return kept.rates
    const rates = readRates(db)
    kept = { rates, until: now + KEPT_MS }
    rates.catch(() => {
      kept = undefined
    })
    return rates
  }
}
