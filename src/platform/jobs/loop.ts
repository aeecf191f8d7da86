import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { type Db, isDatabaseAway, type Tx } from '../db/database.ts'
import type { Notices } from '../db/notices.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { claimJobs, failJob, finishJob, JOBS_CHANNEL, type Job, postponeJob } from './queue.ts'

/** Does one job. Throwing means trying again later; what can't get better is recorded by the handler and returned. */
export type JobHandler = (job: Job) => Promise<void>

/** Work that recurs by itself, such as throwing away what has expired. */
export type Chore = { everySeconds: number; firstAfterSeconds?: number; run: () => Promise<void> }

export type LoopOptions = {
  db: Db
  notices: Notices
  clock: Clock
  log: Log
  metrics: Metrics
  handlers: Record<string, JobHandler>
  chores: Record<string, Chore>
  concurrency: number
}

export type Loop = {
  /** Does what is due now, and answers how many jobs it did. */
  runDue(): Promise<number>
  start(): void
  /** Finishes what is under way and claims no more. */
  stop(): Promise<void>
}

/**
 * A job that is nothing but a change of the database: it is done and gone in one transaction, so that whoever is killed in
 * the middle, or takes longer than the lease, leaves no second one behind.
 */
export function doneOnce(db: Db, work: (tx: Tx, job: Job) => Promise<void>): JobHandler {
  return (job) =>
    inTransaction(db, async (tx) => {
      if (await finishJob(tx, job)) await work(tx, job)
    })
}

const POLL_MS = 1000
/** Waits between tries; after the last one a job is given up. */
export const RETRY_SECONDS = [10, 60, 300, 1800] as const

export function createLoop({ db, notices, clock, log, metrics, handlers, chores, concurrency }: LoopOptions): Loop {
  const stopping = new AbortController()
  let finished: Promise<unknown> = Promise.resolve()
  let noticed = false
  let wake: () => void = () => {}
  // A notice only wakes the loop early: the poll is the truth.
  notices.on(JOBS_CHANNEL, () => {
    noticed = true
    wake()
  })

  async function runJob(job: Job): Promise<void> {
    const handler = handlers[job.kind]
    if (handler === undefined) return
    try {
      // A job that ended every process that tried it would be claimed for ever: it has used up its tries.
      if (job.attempts > RETRY_SECONDS.length + 1) throw new Error('it ended the process that did it, again and again')
      await handler(job)
      await finishJob(db, job)
      metrics.jobDone(job.kind, 'done')
    } catch (error) {
      await afterFailure(job, error as Error)
    }
  }

  async function afterFailure(job: Job, error: Error): Promise<void> {
    const wait = RETRY_SECONDS[job.attempts - 1]
    log.warn({ err: error, job: job.id, kind: job.kind, attempts: job.attempts }, 'job failed')
    metrics.jobDone(job.kind, wait === undefined ? 'failed' : 'retried')
    if (wait === undefined) await failJob(db, job, clock.now(), error.message)
    else await postponeJob(db, job, new Date(clock.now().getTime() + wait * 1000), error.message)
  }

  async function runDue(): Promise<number> {
    const jobs = await claimJobs(db, Object.keys(handlers), clock.now(), concurrency)
    // What can't even be recorded (the database is away) comes back with its lease, and holds up none of the others.
    await Promise.all(jobs.map((job) => survive(job.kind, () => runJob(job))))
    return jobs.length
  }

  async function survive(what: string, work: () => Promise<unknown>): Promise<unknown> {
    try {
      return await work()
    } catch (error) {
      if (isDatabaseAway(error)) log.warn({ what }, 'the database is away')
      else log.error({ err: error, what }, 'background work failed')
      return undefined
    }
  }

  async function runJobs(): Promise<void> {
    while (!stopping.signal.aborted) {
      noticed = false
      const done = await survive('jobs', runDue)
      // A notice that came while nobody waited for one must not be lost.
      if (noticed || (typeof done === 'number' && done > 0)) continue
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      await Promise.race([woken, sleep(POLL_MS, undefined, { signal: stopping.signal }).catch(() => {})])
    }
  }

  async function runChore(name: string, { everySeconds, firstAfterSeconds = 0, run }: Chore): Promise<void> {
    const pause = (seconds: number) => sleep(seconds * 1000, undefined, { signal: stopping.signal }).catch(() => {})
    if (firstAfterSeconds > 0) await pause(firstAfterSeconds)
    while (!stopping.signal.aborted) {
      await survive(name, run)
      await pause(everySeconds)
    }
  }

  return {
    runDue,
    start() {
      finished = Promise.all([runJobs(), ...Object.entries(chores).map(([name, chore]) => runChore(name, chore))])
    },
    async stop() {
      stopping.abort()
      wake()
      await finished
    },
  }
}
