import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import type { Chore } from '#platform/jobs/chores.ts'
import type { DueWork } from '#platform/resource.ts'
import { readTestClocks } from './queries.ts'

/**
 * Does what is due in sandboxes that are ahead of the machine, while their clocks run: the chores of the service go by the
 * machine's time. Jobs and other tries wait by the machine's time anyway.
 */
export function createRunOn(db: Db, clock: Clock, due: readonly DueWork[]): Chore {
  return {
    everySeconds: 20,
    async run() {
      for (const { company_id, ahead_ms, stands_at } of await readTestClocks(db)) {
        if (stands_at !== null || ahead_ms === 0) continue
        for (const one of due) await one.run(company_id, clock.of(company_id))
      }
    },
  }
}
