import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createHandler, doneOnce } from '#platform/jobs/handlers.ts'
import type { Job, JobKind } from '#platform/jobs/kinds.ts'
import { noteWarning } from '#platform/jobs/queue.ts'
import { TRIES_MAX } from '#platform/jobs/retry.ts'
import { warnOfFailure } from './mails.ts'
import type { InvoiceKind } from './state.ts'

type OfOrder = { order_id: number }

/**
 * Makes handlers of jobs that issue documents. The owner is told when such a job is given up for the first time, and not again
 * when it fails on the days that follow.
 */
export function tellOwnerOnce(db: Db, clock: Clock) {
  return <Data extends OfOrder>(
    kind: JobKind<Data>,
    document: InvoiceKind,
    work: (tx: Tx, job: Job<Data, number>, now: Date) => Promise<void>,
  ) => {
    const run = doneOnce(db, (tx, job: Job<Data, number>) => work(tx, job, clock.of(job.companyId)))
    const giveUp = (job: Job<Data, number>) =>
      inTransaction(db, async (tx) => {
        const { companyId, data } = job
        if (await noteWarning(tx, job)) await warnOfFailure(tx, companyId, document, data.order_id, clock.of(companyId))
      })
    const runOrGiveUp = async (job: Job<Data, number>) => {
      try {
        await run(job)
      } catch (error) {
        if (job.attempts >= TRIES_MAX) await giveUp(job)
        throw error
      }
    }
    return createHandler(kind, runOrGiveUp, giveUp)
  }
}
