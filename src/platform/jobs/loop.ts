import type { WorkClock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import type { Notices } from '../db/notices/notices.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import { pause } from '../pause.ts'
import { type Chore, repeatChore } from './chores.ts'
import type { JobHandler } from './handlers.ts'
import type { Lane } from './lanes.ts'
import { channelOf, findWaitingKinds } from './queue.ts'
import { createRunner } from './runner.ts'
import { createSlots, type Slots } from './slots.ts'

export type LoopOptions = {
  db: Db
  notices: Notices
  clock: WorkClock
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
  const { attempt, survive } = createRunner({ db, clock, log, metrics })
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
