import { lockHierarchy } from '#catalog/category-tree/queries.ts'
import { createPictureFetcher, createPictureFilesDeleter } from '#catalog/pictures/fetch.worker.ts'
import { refreshProducts } from '#catalog/products/commands.ts'
import { shopChanged } from '#history/events/shop-changes.cache.ts'
import { resetCounter } from '#platform/db/counters.ts'
import type { Resource } from '#platform/resource.ts'
import { refreshCategory, saveCategory } from './commands.ts'
import { CATEGORIES, readCategories, readCategoryKeys } from './queries.ts'
import { categoryRoutes } from './routes.ts'
import { Category } from './schema.ts'

export const categories: Resource = {
  tags: [{ name: 'Categories', description: 'How products are ordered in the shop.' }],
  schemas: [Category],
  routes: [categoryRoutes],
  // The pictures of products, categories and shops, whose room may import none of them.
  jobs: ({ db, files, outbound, clock }) => [
    createPictureFetcher({
      db,
      files,
      outbound,
      clock,
      async onStored(tx, companyId, owner) {
        if ('product_key' in owner) await refreshProducts(tx, companyId, [owner.product_key], clock.of(companyId))
        if ('category_id' in owner) await refreshCategory(tx, companyId, owner.category_id)
        if ('theme_setting_id' in owner) shopChanged(tx, companyId)
      },
    }),
    createPictureFilesDeleter({ db, files, clock }),
  ],
  documents: [
    {
      name: 'categories',
      readIds: readCategoryKeys,
      rewrite: async (tx, companyId, ids) => {
        await lockHierarchy(tx, companyId)
        for (const category of await readCategories(tx, companyId, ids)) await saveCategory(tx, category)
      },
      recount: (tx, companyId) => resetCounter(tx, companyId, CATEGORIES),
    },
  ],
}
