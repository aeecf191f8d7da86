import type { MachineClock } from '../clock.ts'
import { type Db, isDatabaseAway } from '../db/database.ts'
import type { Notices } from '../db/notices.ts'
import { toError } from '../errors/to-error.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import { pause } from '../pause.ts'
import { type Chore, repeatChore } from './chores.ts'
import type { JobHandler } from './handlers.ts'
import type { Job } from './kinds.ts'
import type { Lane } from './lanes.ts'
import { channelOf, failJob, findWaitingKinds, finishJob, postponeJob } from './queue.ts'
import { retryAt, TRIES_MAX } from './retry.ts'
import { createSlots, type Slots } from './slots.ts'

export type LoopOptions = {
  db: Db
  notices: Notices
  clock: MachineClock
  log: Log
  metrics: Metrics
  handlers: readonly JobHandler[]
  chores: Record<string, Chore>
}

export type Loop = {
  /** Runs every job that is due now, and the jobs that those enqueue; returns how many it ran. */
  runDue(): Promise<number>
  start(): void
  /** Finishes what is under way and claims no more. */
  stop(): Promise<void>
}

const POLL_MS = 1000

export function createLoop({ db, notices, clock, log, metrics, handlers, chores }: LoopOptions): Loop {
  const stopping = new AbortController()
  const { signal } = stopping
  const names = handlers.map(({ kind }) => kind.name)
  let isStarted = false
  let finished: Promise<unknown> = Promise.resolve()

  const lanes = byLane(handlers).map(([lane, own]) => {
    const onFree = () => refill(slots)
    const slots: Slots = createSlots(lane, { db, clock, metrics, handlers: own, attempt, onFree })
    // A notice only wakes the lane early: the poll finds every job.
    notices.on(channelOf(lane), () => {
      slots.expect()
      refill(slots)
    })
    return slots
  })

  /** The caller does not wait for it: a lane that is slow to claim delays no other. */
  function refill(slots: Slots): void {
    if (isStarted) void survive('jobs', slots.fill)
  }

  async function attempt(handler: JobHandler, job: Job): Promise<void> {
    // A result that cannot be recorded, because the database is away, is lost; the job is due again when its lease
    // ends.
    await survive(job.kind, () => runJob(handler, job))
  }

  async function runJob(handler: JobHandler, job: Job): Promise<void> {
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

  async function poll(): Promise<void> {
    while (!signal.aborted) {
      await survive('jobs', async () => {
        const waiting = await findWaitingKinds(db, names)
        for (const slots of lanes) {
          slots.expect(waiting)
          refill(slots)
        }
      })
      await pause(POLL_MS, signal)
    }
  }

  return {
    async runDue() {
      let done = 0
      for (;;) {
        const counts = await Promise.all(lanes.map(drain))
        const count = counts.reduce((sum, one) => sum + one, 0)
        if (count === 0) return done
        done += count
      }
    },
    start() {
      isStarted = true
      const recurring = Object.entries(chores).map(([name, chore]) =>
        repeatChore({ ...chore, run: () => survive(name, chore.run) }, signal),
      )
      finished = Promise.all([poll(), ...recurring])
    },
    async stop() {
      stopping.abort()
      await Promise.all([finished, ...lanes.map((slots) => slots.close())])
    },
  }
}

/** Runs the jobs that are due in one lane. */
async function drain(slots: Slots): Promise<number> {
  slots.expect()
  let started = await slots.fill()
  for (let end = slots.nextEnd(); end !== undefined; end = slots.nextEnd()) {
    await end
    started += await slots.fill()
  }
  return started
}

function byLane(handlers: readonly JobHandler[]): [Lane, JobHandler[]][] {
  const kinds = handlers.map(({ kind }) => kind.name)
  const twice = kinds.find((name, index) => kinds.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`the kind of job "${twice}" has two handlers`)
  return [...Map.groupBy(handlers, ({ kind }) => kind.lane)]
}
