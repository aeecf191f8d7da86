import { resetCounter } from '#platform/db/counters.ts'
import type { Resource } from '#platform/resource.ts'
import { priceAmountRoutes } from './amounts/routes.ts'
import { PriceAmount } from './amounts/schema.ts'
import { percentChangeRoutes } from './changes/routes.ts'
import { PriceChange } from './changes/schema.ts'
import { savePrice } from './commands.ts'
import { lockPrices, PRICES, readPriceIds } from './queries.ts'
import { priceChangeRoutes, priceRoutes } from './routes.ts'
import { Price, PriceUse } from './schema.ts'

export const prices: Resource = {
  tags: [{ name: 'Prices', description: 'What things cost, by country and currency.' }],
  schemas: [Price, PriceUse, PriceAmount, PriceChange],
  routes: [priceRoutes, priceAmountRoutes],
  userRoutes: [priceChangeRoutes, percentChangeRoutes],
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
