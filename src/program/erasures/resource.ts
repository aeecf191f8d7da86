import type { Resource } from '#platform/resource.ts'
import { createKeeper } from './keep.worker.ts'

export const erasures: Resource = {
  chores: (dependencies) => ({
    'keep the list of erasures outside of the database': { everySeconds: 10, run: createKeeper(dependencies) },
  }),
}
