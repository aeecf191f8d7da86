import type { Clock } from '#platform/clock.ts'
import { nowInSeconds } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { toError } from '#platform/errors/to-error.ts'
import { createHandler, type JobHandler } from '#platform/jobs/handlers.ts'
import type { Job } from '#platform/jobs/kinds.ts'
import { bringJobsNearer, enqueue, findNextDue, finishJob, isAnyLeased, renewLease } from '#platform/jobs/queue.ts'
import { TRIES_MAX } from '#platform/jobs/retry.ts'
import type { CompanyJobs } from '#platform/jobs/runner.ts'
import type { Log } from '#platform/log/log.ts'
import { pause } from '#platform/pause.ts'
import type { DueWork, Waiting } from '#platform/resource.ts'
import { endMove, step } from './commands.ts'
import { MOVE_CLOCK } from './jobs.ts'
import type { SandboxTimes } from './own-times.cache.ts'
import { findTestClock } from './queries.ts'
import type { ClockState } from './state.ts'

export type MoverOptions = {
  db: Db
  clock: Clock
  log: Log
  /** Who moves a clock tells its own process at once. */
  times?: Pick<SandboxTimes, 'learn'> | undefined
  jobs: CompanyJobs
  due: readonly DueWork[]
  waiting: readonly Waiting[]
}

/** A job goes on for so long. The rest of a long move is left to the next one, so that a worker can be stopped. */
const SLICE_MS = 5000
const RENEW_MS = 20_000
const LOOK_MS = 50
const STOPPED = 'The work that was due then could not be done. It may be tried again.'
/** More rounds at one time than any work needs to come to rest. */
const ROUNDS_MAX = 10_000

type MoveJob = Job<{ company_id: number }, null>

/**
 * Handles MOVE_CLOCK. The clock stands at the time of each due thing in turn, and goes on when there is nothing left to do. A
 * worker that is killed leaves it where it stood, and the next one goes on from there.
 */
export function createMover(options: MoverOptions): JobHandler {
  const { db, clock, log, times } = options
  return createHandler(MOVE_CLOCK, run, giveUp)

  /** After the last try the clock runs on where it stands, so that the owner can see why and move it again. */
  async function run(job: MoveJob): Promise<void> {
    try {
      await move(job)
    } catch (error) {
      if (job.attempts < TRIES_MAX) throw error
      log.error({ err: toError(error), company_id: job.data.company_id }, 'the clock of a sandbox could not be moved')
      await finish(job.data.company_id, STOPPED)
    }
  }

  async function move(job: MoveJob): Promise<void> {
    const companyId = job.data.company_id
    const renewal = setInterval(() => void renewLease(db, job, clock.now()).catch(() => undefined), RENEW_MS)
    const end = performance.now() + SLICE_MS
    try {
      let at = await findTestClock(db, companyId)
      // Another process may have moved it, and its notification be on the way.
      if (at !== undefined) times?.learn(companyId, at)
      if (!(await othersAreDone(companyId, end))) return await leaveRest(job)
      // What a worker has left that was killed in the middle.
      if (at?.stands_at != null) await settle(companyId, at.stands_at, end)
      while (at?.stands_at != null && at.moves_to !== null) {
        if (performance.now() > end) return await leaveRest(job)
        if (at.stands_at >= at.moves_to) return await finish(companyId, null)
        at = await goOn(at, at.stands_at, at.moves_to)
        if (at?.stands_at != null && !(await settle(companyId, at.stands_at, end))) return await leaveRest(job)
      }
    } finally {
      clearInterval(renewal)
    }
  }

  async function giveUp({ data }: MoveJob): Promise<void> {
    log.error({ company_id: data.company_id }, 'the clock of a sandbox could not be moved')
    await finish(data.company_id, STOPPED)
  }

  /** Waits for workers that were doing something of the sandbox when the move began. False: there was no time for all of it. */
  async function othersAreDone(companyId: number, end: number): Promise<boolean> {
    while (await isAnyLeased(db, companyId, options.jobs.kinds, clock.now())) {
      if (performance.now() > end) return false
      await pause(LOOK_MS, AbortSignal.timeout(SLICE_MS))
    }
    return true
  }

  async function finish(companyId: number, stoppedBecause: string | null): Promise<void> {
    const ended = await inTransaction(db, (tx) => endMove(tx, companyId, stoppedBecause, nowInSeconds(clock)))
    times?.learn(companyId, ended)
  }

  /** Ends this job and begins another in one transaction, so that there is always one. */
  async function leaveRest(job: MoveJob): Promise<void> {
    await inTransaction(db, async (tx) => {
      if (await finishJob(tx, job))
        await enqueue(tx, { kind: MOVE_CLOCK, companyId: null, data: job.data }, nowInSeconds(clock))
    })
  }

  /** Puts the clock to the next time at which something is due. Undefined: another worker moves it. */
  async function goOn(before: ClockState, standsAt: Date, target: Date): Promise<ClockState | undefined> {
    const at = await nextTime(options, before, standsAt, target)
    const machine = nowInSeconds(clock)
    const after = await inTransaction(db, async (tx) => {
      const moved = await step(tx, before, at, machine)
      if (moved === undefined) return undefined
      const nearer = moved.ahead_ms - before.ahead_ms
      await bringJobsNearer(tx, before.company_id, options.jobs.kinds, nearer, machine)
      for (const one of options.waiting) await one.bringNearer(tx, before.company_id, nearer)
      return moved
    })
    if (after !== undefined) times?.learn(before.company_id, after)
    return after
  }

  /** Does everything that is due at a time, and what follows from it. False: there was no time for all of it. */
  async function settle(companyId: number, at: Date, end: number): Promise<boolean> {
    for (let rounds = 0; rounds < ROUNDS_MAX; rounds += 1) {
      let done = 0
      for (const one of options.due) done += await one.run(companyId, at)
      done += await options.jobs.runDue(companyId)
      for (const one of options.waiting) done += await one.run(companyId)
      if (done === 0) return true
      if (performance.now() > end) return false
    }
    throw new Error(`the work of sandbox ${companyId} does not come to rest`)
  }
}

/** The time of the next thing that is due, or the end of the move. */
async function nextTime(
  { db, jobs, due, waiting }: MoverOptions,
  { company_id: companyId, ahead_ms }: ClockState,
  now: Date,
  target: Date,
): Promise<Date> {
  const inOwnTime = (at: Date | undefined) => (at === undefined ? undefined : new Date(at.getTime() + ahead_ms))
  const times = await Promise.all([
    ...due.map((one) => one.next(companyId, now, target)),
    findNextDue(db, companyId, jobs.kinds).then(inOwnTime),
    ...waiting.map(async (one) => inOwnTime(await one.next(companyId))),
  ])
  const soonest = Math.min(target.getTime(), ...times.flatMap((at) => (at === undefined ? [] : [at.getTime()])))
  // Times are whole seconds. What could not be done when it was due must not hold the clock.
  const whole = Math.ceil(soonest / 1000) * 1000
  return new Date(Math.max(whole, now.getTime() + 1000))
}
