import { resetCounter } from '#platform/db/counters.ts'
import type { Resource } from '#platform/resource.ts'
import { saveCategory } from './commands.ts'
import { CATEGORIES, lockHierarchy, readCategories, readCategoryKeys } from './queries.ts'
import { categoryRoutes } from './routes.ts'
import { Category } from './schema.ts'

export const categories: Resource = {
  tags: [{ name: 'Categories', description: 'How products are ordered in the shop.' }],
  schemas: [Category],
  routes: [categoryRoutes],
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
