import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Resource } from '#platform/resource.ts'
import { resumePending } from './commands.ts'
import { deleteAbandonedCopies } from './pack.files.ts'
import { createDeleter, createPacker } from './pack.worker.ts'

export const packing: Resource = {
  jobs: (dependencies) => [createPacker(dependencies), createDeleter(dependencies)],
  chores: ({ db, clock, uploadFolder }) => ({
    'go on packing films': {
      everySeconds: 1800,
      firstAfterSeconds: 60,
      run: () => inTransaction(db, (tx) => resumePending(tx, nowInSeconds(clock))),
    },
    'delete abandoned copies of films': {
      everySeconds: 3600,
      firstAfterSeconds: 300,
      run: () => deleteAbandonedCopies(uploadFolder, clock.now()),
    },
  }),
}
