import type { Resource } from '#platform/resource.ts'
import { createCopyMaker, deleteUnusedCopies } from './make-copy.worker.ts'
import { stampingRoutes } from './routes.ts'
import { FileFailure } from './schema.ts'

export const stamping: Resource = {
  schemas: [FileFailure],
  routes: [stampingRoutes],
  jobs: (dependencies) => [createCopyMaker(dependencies)],
  chores: (dependencies) => ({
    'delete stamped copies that nobody fetches': {
      everySeconds: 3600,
      firstAfterSeconds: 600,
      run: () => deleteUnusedCopies(dependencies),
    },
  }),
}
