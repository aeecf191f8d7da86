import type { Resource } from '#platform/resource.ts'
import { createCopyMaker, deleteUnusedCopies } from './make-copy.worker.ts'

export const stamping: Resource = {
  jobs: (dependencies) => [createCopyMaker(dependencies)],
  chores: (dependencies) => ({
    'delete stamped copies that nobody fetches': {
      everySeconds: 3600,
      firstAfterSeconds: 600,
      run: () => deleteUnusedCopies(dependencies),
    },
  }),
}
