import { resetCounter } from '#platform/db/counters.ts'
import type { Resource } from '#platform/resource.ts'
import { savePrice } from './commands.ts'
import { lockPrices, PRICES, readPriceIds } from './queries.ts'
import { priceChangeRoutes, priceRoutes } from './routes.ts'
import { Price } from './schema.ts'

export const prices: Resource = {
  tags: [{ name: 'Prices', description: 'What things cost, by country and currency.' }],
  schemas: [Price],
  routes: [priceRoutes],
  userRoutes: [priceChangeRoutes],
  documents: [
    {
      name: 'prices',
      readIds: readPriceIds,
      rewrite: async (tx, companyId, ids) => {
        for (const price of await lockPrices(tx, companyId, ids)) await savePrice(tx, price)
      },
      recount: (tx, companyId) => resetCounter(tx, companyId, PRICES),
    },
  ],
}
