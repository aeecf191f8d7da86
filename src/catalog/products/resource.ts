import { resetCounter } from '#platform/db/counters.ts'
import type { Resource } from '#platform/resource.ts'
import { rewriteProducts } from './commands.ts'
import { PRODUCTS, readProductKeys } from './queries.ts'
import { productRoutes } from './routes.ts'
import { Product } from './schema.ts'
import { createTermFollowers } from './terms/follow.worker.ts'

export const products: Resource = {
  tags: [{ name: 'Products', description: 'What is for sale.' }],
  schemas: [Product],
  routes: [productRoutes],
  jobs: createTermFollowers,
  documents: [
    {
      name: 'products',
      readIds: readProductKeys,
      rewrite: rewriteProducts,
      recount: (tx, companyId) => resetCounter(tx, companyId, PRODUCTS),
    },
  ],
}
