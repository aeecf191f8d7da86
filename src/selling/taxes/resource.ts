import { inBatches } from '#platform/db/batches.ts'
import type { Resource } from '#platform/resource.ts'
import { deleteOldChecks } from './commands.ts'

export const taxes: Resource = {
  chores: ({ db, clock }) => ({
    'delete old checks of VAT ids': {
      everySeconds: 3600,
      run: () => inBatches(db, (tx) => deleteOldChecks(tx, clock.now())),
    },
  }),
}
