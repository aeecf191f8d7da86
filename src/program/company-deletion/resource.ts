import type { Resource } from '#platform/resource.ts'
import { deleteDueCompanies } from './purge.worker.ts'
import { companyDeletionRoutes } from './routes.ts'
import { CompanyDeletion } from './schema.ts'

export const companyDeletion: Resource = {
  schemas: [CompanyDeletion],
  userRoutes: [companyDeletionRoutes],
  chores: (work) => ({
    'delete companies whose day has come': {
      everySeconds: 60,
      firstAfterSeconds: 30,
      run: () => deleteDueCompanies(work),
    },
  }),
}
