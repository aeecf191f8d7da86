import { FOLLOW_ORIGINALS } from '#catalog/products/mirrors/jobs.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createHandler, type JobHandler } from '#platform/jobs/handlers.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { followChanges } from './mirrors/commands.ts'

/** Well within the lease of a job; the rest is left to another job. */
const WORK_MS = 60_000

/** Handles FOLLOW_ORIGINALS: processes the changes of an owner's products, one batch per transaction. */
export function createMirrorFollower({ db, clock }: { db: Db; clock: Clock }): JobHandler {
  return createHandler(FOLLOW_ORIGINALS, async ({ companyId }) => {
    const end = clock.now().getTime() + WORK_MS
    while ((await inTransaction(db, (tx) => followChanges(tx, companyId, clock.of(companyId)))) > 0) {
      if (clock.now().getTime() < end) continue
      const rest = { kind: FOLLOW_ORIGINALS, companyId, data: {} }
      return inTransaction(db, (tx) => enqueue(tx, rest, clock.now()))
    }
  })
}
