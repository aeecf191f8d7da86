import type { Resource } from '#platform/resource.ts'
import { PUBLICATION_KEYS_PURPOSE } from './content-keys.secrets.ts'
import { createProtector, deleteOrphanedPublications } from './encrypt.worker.ts'
import { publicationRoutes } from './routes.ts'
import { ProtectedPublication } from './schema.ts'

export const publications: Resource = {
  schemas: [ProtectedPublication],
  routes: [publicationRoutes],
  sealed: [{ table: 'protected_publications', column: 'content_key', purpose: PUBLICATION_KEYS_PURPOSE }],
  jobs: (dependencies) => [createProtector(dependencies)],
  chores: (dependencies) => ({
    'delete encrypted files of publications that are gone': {
      everySeconds: 3600,
      firstAfterSeconds: 700,
      run: () => deleteOrphanedPublications(dependencies),
    },
  }),
}
