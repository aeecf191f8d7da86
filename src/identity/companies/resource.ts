import type { Resource } from '#platform/resource.ts'
import { companyAdminRoutes } from './admin.routes.ts'
import { refreshCompany } from './commands.ts'
import { findCompany } from './queries.ts'
import { companyRoutes } from './routes.ts'
import { Company } from './schema.ts'

export const companies: Resource = {
  tags: [{ name: 'Companies', description: 'Shop owners.' }],
  schemas: [Company],
  routes: [companyRoutes],
  adminRoutes: [companyAdminRoutes],
  documents: [
    {
      name: 'companies',
      // A company has one document: its own.
      readIds: async (db, companyId, after) =>
        after < companyId && (await findCompany(db, companyId)) !== undefined ? [companyId] : [],
      rewrite: (tx, companyId) => refreshCompany(tx, companyId),
    },
  ],
}
