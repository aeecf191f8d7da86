import type { MachineClock } from '../clock.ts'
import { type Db, isDatabaseAway } from '../db/database.ts'
import { toError } from '../errors/to-error.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import { type Span, traced } from '../tracing/trace.ts'
import type { JobHandler } from './handlers.ts'
import type { Job } from './kinds.ts'
import { claimJobsOf, failJob, finishJob, postponeJob } from './queue.ts'
import { retryAt, TRIES_MAX } from './retry.ts'

export type RunnerOptions = { db: Db; clock: MachineClock; log: Log; metrics: Metrics }

/** Runs jobs that were claimed, and records what became of them. */
export type Runner = {
  /** Does one job; it never rejects. */
  attempt(handler: JobHandler, job: Job): Promise<void>
  survive(what: string, work: () => Promise<unknown>): Promise<void>
}

export function createRunner({ db, clock, log, metrics }: RunnerOptions): Runner {
  async function attempt(handler: JobHandler, job: Job): Promise<void> {
    // A result that cannot be recorded, because the database is away, is lost; the job is due again when its lease
    // ends.
    const options = { kind: 'consumer', parent: job.traceParent, attributes: { 'licet.job.kind': job.kind } } as const
    await survive(job.kind, () => traced(`job ${job.kind}`, options, (span) => runJob(handler, job, span)))
  }

  async function runJob(handler: JobHandler, job: Job, span: Span | undefined): Promise<void> {
    try {
      // A job that ends every process that runs it would be claimed for ever, so it has a limited number of attempts.
      if (job.attempts > TRIES_MAX) {
        await handler.giveUp?.(job)
        throw new Error('it ended the process that did it, again and again')
      }
      await handler.run(job)
      await finishJob(db, job)
      metrics.jobDone(job.kind, 'done')
    } catch (error) {
      span?.fail(error)
      await afterFailure(job, toError(error))
    }
  }

  async function afterFailure(job: Job, error: Error): Promise<void> {
    const again = retryAt(job.attempts, clock.now())
    log.warn({ err: error, job: job.id, kind: job.kind, attempts: job.attempts }, 'job failed')
    metrics.jobDone(job.kind, again === undefined ? 'failed' : 'retried')
    if (again === undefined) await failJob(db, job, clock.now(), error.message)
    else await postponeJob(db, job, again, error.message)
  }

  async function survive(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (isDatabaseAway(error)) log.warn({ what }, 'the database is away')
      else log.error({ err: error, what }, 'background work failed')
    }
  }

  return { attempt, survive }
}

/** As many as a company may have in a lane. */
const AT_ONCE = 4

/** The jobs of one company, for whoever moves its clock. */
export type CompanyJobs = {
  /** The kinds that are done in the order of the clock. */
  readonly kinds: readonly string[]
  /** Does those that are due by the time of the machine, oldest first; returns how many. */
  runDue(companyId: number): Promise<number>
}

export function createCompanyJobs(options: RunnerOptions, handlers: readonly JobHandler[]): CompanyJobs {
  const { db, clock } = options
  const { attempt } = createRunner(options)
  const own = new Map(handlers.filter(({ kind }) => kind.lane.isTimeless !== true).map((one) => [one.kind.name, one]))
  const kinds = [...own.keys()]
  return {
    kinds,
    async runDue(companyId) {
      const jobs = await claimJobsOf(db, companyId, kinds, clock.now(), AT_ONCE)
      await Promise.all(
        jobs.map((job) => {
          const handler = own.get(job.kind)
          return handler === undefined ? undefined : attempt(handler, job)
        }),
      )
      return jobs.length
    },
  }
}
