import { inTransaction } from '#platform/db/transaction.ts'
import type { Chore } from '#platform/jobs/chores.ts'
import type { Resource } from '#platform/resource.ts'
import { refreshRates } from './commands.ts'
import { createRatesRefresher, REFRESH_RATES } from './refresh.worker.ts'
import { currencyRateRoutes } from './routes.ts'
import { CurrencyRate } from './schema.ts'

/** How often the worker checks whether a refresh is due. */
const ASK_SECONDS = 600
/** The first check waits until the start is over. */
const FIRST_AFTER_SECONDS = 60

export const currencyRates: Resource = {
  tags: [{ name: 'Currency rates', description: 'What a euro costs in other currencies.' }],
  schemas: [CurrencyRate],
  routes: [currencyRateRoutes],
  chores: ({ currencyRatesUrl: url, ...dependencies }): Record<string, Chore> => {
    if (url === '') return {}
    const run = createRatesRefresher({ ...dependencies, url })
    return { [REFRESH_RATES]: { everySeconds: ASK_SECONDS, firstAfterSeconds: FIRST_AFTER_SECONDS, run } }
  },
  beforeRebuild: async (db) => {
    await inTransaction(db, refreshRates)
  },
}
