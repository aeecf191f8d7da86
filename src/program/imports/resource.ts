import { inBatches } from '#platform/db/batches.ts'
import type { Resource } from '#platform/resource.ts'
import { deleteVoidKeys } from './keys.commands.ts'

export const imports: Resource = {
  chores: ({ db }) => ({
    'delete the import keys of things that are gone': {
      everySeconds: 86_400,
      firstAfterSeconds: 600,
      run: () => inBatches(db, deleteVoidKeys),
    },
  }),
}
