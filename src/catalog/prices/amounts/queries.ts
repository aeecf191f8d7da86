import { readRates } from '#catalog/currency-rates/queries.ts'
import type { Rates } from '#catalog/currency-rates/rules.ts'
import type { Db } from '#platform/db/database.ts'

/** The rates of the day, with which amounts are converted. */
export function readDayRates(db: Db): Promise<Rates> {
  return readRates(db)
}
