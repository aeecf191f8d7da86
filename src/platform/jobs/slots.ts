import type { WorkClock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import type { Metrics } from '../log/metrics.ts'
import type { JobHandler } from './handlers.ts'
import type { Job } from './kinds.ts'
import type { Lane } from './lanes.ts'
import { BEFORE_ALL, claimJobs, companyKey } from './queue.ts'

export type SlotsOptions = {
  db: Db
  clock: WorkClock
  metrics: Metrics
  handlers: readonly JobHandler[]
  /** Does one job; it never rejects. */
  attempt: (handler: JobHandler, job: Job) => Promise<void>
  /** Called when a slot has become free. */
  onFree: () => void
}

/** The slots of one lane in this process. */
export type Slots = {
  /** Notes that jobs of these kinds may be due; absent: of every kind in the lane. */
  expect(kinds?: ReadonlySet<string>): void
  /** Claims and starts expected jobs until the slots are full or nothing is due; returns how many it started. */
  fill(): Promise<number>
  /** Resolves when one of the jobs under way has ended; undefined: none is under way. */
  nextEnd(): Promise<void> | undefined
  /** Claims no more, and resolves when every job under way has ended. */
  close(): Promise<void>
}

/** The jobs of one kind, as far as this process knows of them. */
type Queue = {
  handler: JobHandler
  /** Some may be due: it is worth asking. */
  isExpected: boolean
  /** Some may have been left for want of a slot: it is worth asking when one becomes free. */
  mayHaveMore: boolean
  lastCompany: number
}

export function createSlots(lane: Lane, { db, clock, metrics, handlers, attempt, onFree }: SlotsOptions): Slots {
  const queues = handlers.map(
    (handler): Queue => ({ handler, isExpected: false, mayHaveMore: false, lastCompany: BEFORE_ALL }),
  )
  const underWay = new Set<Promise<void>>()
  const running = new Map<number, number>()
  let isFilling = false
  let lastFill: Promise<unknown> = Promise.resolve()
  let isClosed = false

  function start(handler: JobHandler, job: Job): void {
    const company = companyKey(job)
    running.set(company, (running.get(company) ?? 0) + 1)
    metrics.jobStarted(lane.name)
    const ended = attempt(handler, job).then(() => {
      metrics.jobEnded(lane.name)
      underWay.delete(ended)
      const left = (running.get(company) ?? 0) - 1
      if (left > 0) running.set(company, left)
      else running.delete(company)
      for (const queue of queues) if (queue.mayHaveMore) queue.isExpected = true
      onFree()
    })
    underWay.add(ended)
  }

  /** A company whose clock is being moved has no slot: whoever moves it does its jobs. */
  function taken(): ReadonlyMap<number, number> {
    const moving = lane.isTimeless === true ? [] : (clock.own?.moving() ?? [])
    return moving.length === 0
      ? running
      : new Map([...running, ...moving.map((id) => [id, lane.slotsPerCompany] as const)])
  }

  const isAnyCompanyAtItsCap = () => [...running.values()].some((count) => count >= lane.slotsPerCompany)

  async function claimFrom(queue: Queue): Promise<number> {
    const { handler, lastCompany: after } = queue
    const limit = lane.slots - underWay.size
    queue.isExpected = false
    // A slot that becomes free while the claim is under way is worth another claim, which did not count on it.
    queue.mayHaveMore = true
    const wasCapped = isAnyCompanyAtItsCap()
    const { slotsPerCompany } = lane
    const jobs = await claimJobs(db, handler.kind, {
      now: clock.now(),
      limit,
      slotsPerCompany,
      running: taken(),
      after,
    })
    for (const job of jobs) start(handler, job)
    queue.lastCompany = lastServed(jobs, after)
    queue.mayHaveMore = jobs.length === limit || wasCapped || isAnyCompanyAtItsCap()
    return jobs.length
  }

  /** The kinds of a lane take turns, so that none of them keeps the others waiting. */
  function nextQueue(): Queue | undefined {
    if (isClosed || underWay.size >= lane.slots) return undefined
    const at = queues.findIndex(({ isExpected }) => isExpected)
    if (at === -1) return undefined
    const [queue] = queues.splice(at, 1)
    if (queue !== undefined) queues.push(queue)
    return queue
  }

  async function fillOnce(): Promise<number> {
    let started = 0
    try {
      for (let queue = nextQueue(); queue !== undefined; queue = nextQueue()) started += await claimFrom(queue)
      return started
    } finally {
      // In the same tick as the last look at the slots: one that becomes free later is filled by a call of its own.
      isFilling = false
    }
  }

  return {
    expect(kinds) {
      for (const queue of queues) if (kinds?.has(queue.handler.kind.name) ?? true) queue.isExpected = true
    },
    async fill() {
      if (isFilling) return 0
      isFilling = true
      const fill = fillOnce()
      lastFill = fill
      return fill
    },
    nextEnd: () => (underWay.size === 0 ? undefined : Promise.race(underWay)),
    async close() {
      isClosed = true
      // Whoever asked for it gets its error.
      await lastFill.catch(() => {})
      await Promise.all(underWay)
    },
  }
}

/** The company with which a claim ended: past the last company it begins again with the first. */
function lastServed(jobs: readonly Job[], after: number): number {
  if (jobs.length === 0) return after
  const companies = jobs.map(companyKey)
  const fromTheStart = companies.filter((company) => company <= after)
  return Math.max(...(fromTheStart.length > 0 ? fromTheStart : companies))
}
