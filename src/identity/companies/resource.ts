import type { Resource } from '#platform/resource.ts'
import { refreshCompany } from './commands.ts'
import { findCompany } from './queries.ts'
import { companyRoutes } from './routes.ts'
import { Company } from './schema.ts'
import { companySettingsRoutes } from './settings.routes.ts'

export const companies: Resource = {
  tags: [{ name: 'Companies', description: 'Shop owners.' }],
  schemas: [Company],
  routes: [companyRoutes],
  userRoutes: [companySettingsRoutes],
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
