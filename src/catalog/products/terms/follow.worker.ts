import { type ChangedTerms, FOLLOW_TERMS } from '#catalog/term-changes/jobs.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { createHandler, doneOnce, type JobHandler } from '#platform/jobs/handlers.ts'
import { takeAlike } from '#platform/jobs/queue.ts'
import { followTerms } from './commands.ts'
import { FOLLOW_TERMS_ON } from './jobs.ts'

/** Handles FOLLOW_TERMS and FOLLOW_TERMS_ON: one batch of products per job, so that companies take turns between batches. */
export function createTermFollowers({ db, clock }: { db: Db; clock: Clock }): JobHandler[] {
  return [
    createHandler(
      FOLLOW_TERMS,
      doneOnce(db, async (tx, job) => {
        const changes = [job.data, ...(await takeAlike<ChangedTerms>(tx, job))]
        await followTerms(tx, job.companyId, together(changes), 0, clock.of(job.companyId))
      }),
    ),
    createHandler(
      FOLLOW_TERMS_ON,
      doneOnce(db, async (tx, { companyId, data: { after, ...terms } }) => {
        await followTerms(tx, companyId, terms, after, clock.of(companyId))
      }),
    ),
  ]
}

/** A product that shows several of them changes once. */
function together(changes: readonly ChangedTerms[]): ChangedTerms {
  return {
    price_ids: [...new Set(changes.flatMap(({ price_ids }) => price_ids))],
    license_ids: [...new Set(changes.flatMap(({ license_ids }) => license_ids))],
  }
}
