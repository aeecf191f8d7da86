import { inBatches } from '#platform/db/batches.ts'
import type { Resource } from '#platform/resource.ts'
import { deleteOldVisits } from './commands.ts'
import { closeEndedDays } from './ended-days.worker.ts'

export const visits: Resource = {
  chores: ({ db, clock }) => ({
    'count the visits of the days that are over': {
      everySeconds: 60,
      run: () => closeEndedDays(db, clock.now()),
    },
    'delete old visits': {
      everySeconds: 3600,
      run: () => inBatches(db, (tx) => deleteOldVisits(tx, clock.now())),
    },
  }),
}
