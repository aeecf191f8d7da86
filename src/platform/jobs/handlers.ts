import type { MachineClock } from '../clock.ts'
import type { Db, Tx } from '../db/database.ts'
import { inTransaction } from '../db/transaction.ts'
import type { AnyKind, Job, JobKind } from './kinds.ts'
import { finishJob, takeUntried } from './queue.ts'

/** Does the jobs of one kind. */
export type JobHandler = {
  readonly kind: AnyKind
  /**
   * Throwing means trying again later; a failure that no retry can cure is recorded by the handler, which then returns.
   */
  run(job: Job): Promise<void>
  /** Records that a job ended every process that tried it; it is not run again. */
  giveUp?: ((job: Job) => Promise<void>) | undefined
}

/** Binds a kind to the function that does it, which gets the data as the kind types it. */
export function createHandler<Data, Company extends number | null>(
  kind: JobKind<Data, Company>,
  run: (job: Job<Data, Company>) => Promise<void>,
  giveUp?: (job: Job<Data, Company>) => Promise<void>,
): JobHandler {
  // The only place that trusts the table: only enqueue writes jobs, and it takes the data that the kind requires.
  const typed = (job: Job) => job as Job<Data, Company>
  return { kind, run: (job) => run(typed(job)), giveUp: giveUp && ((job) => giveUp(typed(job))) }
}

/**
 * A job that only changes the database: the change and the end of the job are one transaction, so that a worker that is
 * killed in the middle, or takes longer than the lease, does not do it a second time.
 */
export function doneOnce<Claimed extends Job>(
  db: Db,
  work: (tx: Tx, job: Claimed) => Promise<void>,
): (job: Claimed) => Promise<void> {
  return (job) =>
    inTransaction(db, async (tx) => {
      if (await finishJob(tx, job)) await work(tx, job)
    })
}

/** Jobs that are done in one transaction. */
const TOGETHER_MAX = 20

/**
 * doneOnce for jobs of which many come at once, and which do not read what the others write: one transaction does those of a company
 * that wait, because claiming a job and ending it can cost as much as doing it. A job that has failed is tried again by itself, so
 * that it holds up no other.
 */
export function doneTogether<Data>(
  { db, clock }: { db: Db; clock: MachineClock },
  work: (tx: Tx, job: Job<Data, number>) => Promise<void>,
): (job: Job<Data, number>) => Promise<void> {
  return (job) =>
    inTransaction(db, async (tx) => {
      if (!(await finishJob(tx, job))) return
      const others = job.attempts > 1 ? [] : await takeUntried(tx, job, TOGETHER_MAX - 1, clock.now())
      const all = [job.data, ...others]
      const done = await Promise.allSettled(all.map((data) => work(tx, { ...job, data })))
      for (const each of done) if (each.status === 'rejected') throw each.reason
    })
}
