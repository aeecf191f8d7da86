import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Resource } from '#platform/resource.ts'
import { deleteOldPlaybacks } from './commands.ts'

export const playbacks: Resource = {
  chores: ({ db, clock }) => ({
    'delete old playbacks': {
      everySeconds: 3600,
      firstAfterSeconds: 600,
      run: async () => {
        while ((await inTransaction(db, (tx) => deleteOldPlaybacks(tx, nowInSeconds(clock)))) > 0);
      },
    },
  }),
}
