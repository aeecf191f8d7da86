import { inBatches } from '#platform/db/batches.ts'
import type { Resource } from '#platform/resource.ts'
import { deleteOldVisits } from './commands.ts'
import { closeEndedDays, PATIENCE_MS } from './ended-days.worker.ts'
import { findNextEnd } from './queries.ts'

/** A day is counted a little after its end, and later than at its last second. */
const addPatience = (time: Date, sign: 1 | -1) => new Date(time.getTime() + sign * (PATIENCE_MS + 1000))

export const visits: Resource = {
  due: ({ db }) => [
    {
      next: async (companyId, after, until) => {
        const end = await findNextEnd(db, companyId, addPatience(after, -1), addPatience(until, -1))
        return end && addPatience(end, 1)
      },
      run: (companyId, now) => closeEndedDays(db, now, companyId),
    },
  ],
  chores: ({ db, clock }) => ({
    'count the visits of the days that are over': {
      everySeconds: 60,
      run: async () => void (await closeEndedDays(db, clock.now())),
    },
    'delete old visits': {
      everySeconds: 3600,
      run: () => inBatches(db, (tx) => deleteOldVisits(tx, clock.now())),
    },
  }),
}
