import { randomUUID } from 'node:crypto'
import { after, before } from 'node:test'
import { sql } from 'kysely'
import { type DatabaseHandle, type Db, openDatabase } from '#platform/db/database.ts'
import { createNotices, type Notices } from '#platform/db/notices/notices.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Chore } from '#platform/jobs/chores.ts'
import type { JobHandler } from '#platform/jobs/handlers.ts'
import { type AnyKind, defineJob, type Job, type JobKind } from '#platform/jobs/kinds.ts'
import type { Lane } from '#platform/jobs/lanes.ts'
import { createLoop, type Loop } from '#platform/jobs/loop.ts'
import { BEFORE_ALL, claimJobs, enqueue } from '#platform/jobs/queue.ts'
import { createLog } from '#platform/log/log.ts'
import { createMetrics, type Metrics } from '#platform/log/metrics.ts'
import { createDatabase, type TestDatabase } from './server.ts'

/** Claims due jobs of a kind, as a lane does that has only free slots. */
export function claimDue(db: Db, kind: AnyKind, now: Date, limit = 10): Promise<Job[]> {
  return claimJobs(db, kind, { now, limit, slotsPerCompany: limit, running: new Map(), after: BEFORE_ALL })
}

export function handlerOf(handlers: readonly JobHandler[], kind: AnyKind): JobHandler {
  const handler = handlers.find((one) => one.kind === kind)
  if (handler === undefined) throw new Error(`no handler does "${kind.name}"`)
  return handler
}

export type TestKind = JobKind<unknown, number | null>

/** A lane for one test: its jobs do not mix with those of other tests. */
export function newLane(slots: number, slotsPerCompany = slots): Lane {
  return { name: `lane_${randomUUID().replaceAll('-', '')}`, slots, slotsPerCompany }
}

export function newKind(lane = newLane(4), options: { wakes?: boolean } = {}): TestKind {
  return defineJob<unknown, number | null>(`kind ${randomUUID()}`, { lane, ...options })
}

/** A queue on a database of its own, with a clock that stands still until it is moved. */
export function useJobs() {
  let database: TestDatabase
  let handle: DatabaseHandle
  let notices: Notices
  let time = Date.UTC(2030, 0, 1)
  const clock = { now: () => new Date(time) }

  before(async () => {
    database = await createDatabase()
    handle = openDatabase(database.connection, { poolMax: 10 })
    notices = createNotices(handle.pool, createLog('silent'))
    notices.start()
  })
  after(async () => {
    await notices.stop()
    await handle.close()
    await database.drop()
  })

  type Parts = { chores?: Record<string, Chore>; metrics?: Metrics; notices?: Notices }
  return {
    get db() {
      return handle.db
    },
    get pool() {
      return handle.pool
    },
    clock,
    advance(seconds: number) {
      time += seconds * 1000
    },
    loopOf(handlers: readonly JobHandler[], parts: Parts = {}): Loop {
      const rest = { notices, log: createLog('silent'), metrics: createMetrics(), chores: {}, ...parts }
      return createLoop({ db: handle.db, clock, handlers, ...rest })
    },
    /** Enqueues one job per entry of data. */
    add(kind: TestKind, companyId: number | null, ...data: unknown[]): Promise<void> {
      const jobs = data.map((entry) => ({ kind, companyId, data: entry }))
      return inTransaction(handle.db, (tx) => enqueue(tx, jobs, clock.now()))
    },
    rowsOf({ name }: AnyKind) {
      return handle.db.selectFrom('jobs').selectAll().where('kind', '=', name).orderBy('id').execute()
    },
    async openCompanies(count: number): Promise<number[]> {
      const { rows } = await sql<{ id: number }>`insert into companies (company_name, email, created_at, updated_at)
        select 'Shop', 'shop@example.com', now(), now() from generate_series(1, ${count}::int) returning id`.execute(
        handle.db,
      )
      return rows.map(({ id }) => id).sort((one, other) => one - other)
    },
  }
}

/** Jobs that end when the test says so; each is identified by its data. */
export function controlledJobs() {
  const started: unknown[] = []
  const ended: unknown[] = []
  const releases = new Map<unknown, () => void>()
  let runningMax = 0
  let changed = Promise.withResolvers<void>()
  const tell = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  return {
    started,
    ended,
    /** The most that were under way at once. */
    runningMax: () => runningMax,
    async run({ data }: Pick<Job, 'data'>): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      releases.set(data, resolve)
      started.push(data)
      runningMax = Math.max(runningMax, started.length - ended.length)
      tell()
      await promise
      ended.push(data)
      tell()
    },
    release(data: unknown): void {
      const resolve = releases.get(data)
      if (resolve === undefined) throw new Error(`${data} has not begun`)
      resolve()
    },
    async until(isSo: () => boolean): Promise<void> {
      while (!isSo()) await changed.promise
    },
  }
}
