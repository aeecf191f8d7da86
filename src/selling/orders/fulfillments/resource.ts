import type { Resource } from '#platform/resource.ts'
import { lockOrders } from '../queries.ts'
import { resetFulfillmentCount, rewriteFulfillments } from './commands.ts'
import { readFulfillmentIds } from './queries.ts'
import { fulfillmentRoutes } from './routes.ts'
import { Fulfillment } from './schema.ts'

export const fulfillments: Resource = {
  tags: [{ name: 'Fulfillments', description: 'What is to be shipped, and what was.' }],
  schemas: [Fulfillment],
  routes: [fulfillmentRoutes],
  documents: [
    {
      name: 'fulfillments',
      readIds: readFulfillmentIds,
      rewrite: async (tx, companyId, ids) => rewriteFulfillments(tx, companyId, await lockOrders(tx, companyId, ids)),
      recount: resetFulfillmentCount,
    },
  ],
}
