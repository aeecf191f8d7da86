import { refreshCategory } from '#categories/commands.ts'
import { shopChanged } from '#events/shop-changes.ts'
import { createPictureFetcher, createPictureFilesDeleter } from '#pictures/fetch.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { resetCounter } from '#platform/db/counters.ts'
import type { Resource } from '#platform/resource.ts'
import { refreshProducts, rewriteProducts } from './commands.ts'
import { PRODUCTS, readProductKeys } from './queries.ts'
import { productRoutes } from './routes.ts'
import { Product } from './schema.ts'

export const products: Resource = {
  tags: [{ name: 'Products', description: 'What is for sale.' }],
  schemas: [Product],
  routes: [productRoutes],
  // The pictures of products, categories and shops, whose folder may import none of them.
  jobs: ({ db, files, outbound, clock }) => [
    createPictureFetcher({
      db,
      files,
      outbound,
      clock,
      async onStored(tx, companyId, owner) {
        if ('product_key' in owner) await refreshProducts(tx, companyId, [owner.product_key], nowInSeconds(clock))
        if ('category_id' in owner) await refreshCategory(tx, companyId, owner.category_id)
        if ('theme_setting_id' in owner) shopChanged(tx, companyId)
      },
    }),
    createPictureFilesDeleter({ db, files, clock }),
  ],
  documents: [
    {
      name: 'products',
      readIds: readProductKeys,
      rewrite: rewriteProducts,
      recount: (tx, companyId) => resetCounter(tx, companyId, PRODUCTS),
    },
  ],
}
