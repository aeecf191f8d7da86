import type { Resource } from '#platform/resource.ts'
import { createProtector, deleteOrphanedPublications } from './encrypt.worker.ts'
import { publicationRoutes } from './routes.ts'
import { ProtectedPublication } from './schema.ts'

export const publications: Resource = {
  schemas: [ProtectedPublication],
  routes: [publicationRoutes],
  jobs: (dependencies) => [createProtector(dependencies)],
  chores: (dependencies) => ({
    'delete encrypted files of publications that are gone': {
      everySeconds: 3600,
      firstAfterSeconds: 700,
      run: () => deleteOrphanedPublications(dependencies),
    },
  }),
}
