import { inTransaction } from '#platform/db/transaction.ts'
import type { Resource } from '#platform/resource.ts'
import { deleteOldEvents } from './commands.ts'

export const events: Resource = {
  chores: ({ db, clock }) => ({
    'delete old events': {
      everySeconds: 3600,
      run: async () => {
        while ((await inTransaction(db, (tx) => deleteOldEvents(tx, clock.now()))) > 0);
      },
    },
  }),
}
