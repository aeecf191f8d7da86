import { createMover } from '#identity/test-clocks/move.worker.ts'
import type { SandboxTimes } from '#identity/test-clocks/own-times.cache.ts'
import { createRunOn } from '#identity/test-clocks/run-on.worker.ts'
import { inBatches } from '#platform/db/batches.ts'
import { deleteOldKeys } from '#platform/db/kept-answers.ts'
import { createProbes, type ProbesOptions } from '#platform/http/probes.ts'
import { createCatchUp } from '#platform/jobs/catch-up.ts'
import type { Chore } from '#platform/jobs/chores.ts'
import { createLoop, type Loop } from '#platform/jobs/loop.ts'
import { deleteOldFailures } from '#platform/jobs/queue.ts'
import { createCompanyJobs } from '#platform/jobs/runner.ts'
import { createWaitChore } from '#platform/jobs/waits.ts'
import { createMailSenders } from '#platform/mail/send.ts'
import type { MailSettings } from '#platform/mail/settings.ts'
import { deleteOldMails } from '#platform/mail/store.ts'
import type { WorkDependencies } from '#platform/resource.ts'
import { measuresOf } from '#program/http/measures.ts'
import { RESOURCES } from './resources.ts'

export type WorkerDependencies = WorkDependencies & {
  /** The clocks of sandboxes, as this process knows them. Absent: it has none. */
  times?: Pick<SandboxTimes, 'learn'>
  mail: MailSettings | undefined
  /** How long a job that was given up stays, so that the operator can see it. */
  failedJobDays: number
}

/** Builds the background loop from the same parts as the HTTP service. */
export function createWorker(dependencies: WorkerDependencies): Loop {
  const handlers = [
    ...RESOURCES.flatMap((resource) => resource.jobs?.(dependencies) ?? []),
    ...createMailSenders(dependencies),
  ]
  const due = RESOURCES.flatMap((resource) => resource.due?.(dependencies) ?? [])
  const waiting = RESOURCES.flatMap((resource) => resource.waiting?.(dependencies) ?? [])
  const mover = createMover({ ...dependencies, jobs: createCompanyJobs(dependencies, handlers), due, waiting })
  const { db, clock } = dependencies
  const jobs = createLoop({
    ...dependencies,
    handlers: [...handlers, mover],
    chores: {
      ...platformChores(dependencies),
      ...choresOf(dependencies),
      'do what is due in sandboxes': createRunOn(db, clock, due),
    },
  })
  return together([jobs, ...RESOURCES.flatMap((resource) => resource.loops?.(dependencies) ?? [])])
}

/** What a worker answers to those who watch it. */
export function createWorkerProbes(dependencies: WorkerDependencies & ProbesOptions) {
  const { reads, clock, metrics } = dependencies
  metrics.measure({ db: reads, now: clock.now, measures: measuresOf(RESOURCES) })
  return createProbes(dependencies)
}

/** What a service does that leaves the background work to other processes: it must not become slow where there are none. */
export function createSubstitute(dependencies: WorkerDependencies): Loop {
  return createCatchUp(choresOf(dependencies), dependencies.log)
}

function choresOf(dependencies: WorkerDependencies): Record<string, Chore> {
  return Object.assign({}, ...RESOURCES.map((resource) => resource.chores?.(dependencies) ?? {}))
}

/** What one loop does may give another something to do. */
function together(loops: readonly Loop[]): Loop {
  return {
    async runDue() {
      let done = 0
      for (;;) {
        let count = 0
        for (const loop of loops) count += await loop.runDue()
        if (count === 0) return done
        done += count
      }
    },
    start() {
      for (const loop of loops) loop.start()
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

function platformChores({ db, clock, failedJobDays }: WorkerDependencies): Record<string, Chore> {
  return {
    'delete old idempotency keys': {
      everySeconds: 3600,
      run: () => inBatches(db, (tx) => deleteOldKeys(tx, clock.now())),
    },
    'delete old mails': {
      everySeconds: 3600,
      run: () => inBatches(db, (tx) => deleteOldMails(tx, clock.now())),
    },
    'shorten waits of jobs after the clock has gone back': createWaitChore({ db, clock }),
    'delete jobs that failed long ago': {
      everySeconds: 3600,
      run: () =>
        inBatches(db, (tx) => deleteOldFailures(tx, new Date(clock.now().getTime() - failedJobDays * 86_400_000))),
    },
  }
}
