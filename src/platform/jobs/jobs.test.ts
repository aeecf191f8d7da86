import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { type DatabaseHandle, openDatabase } from '../db/database.ts'
import { createNotices, type Notices } from '../db/notices.ts'
import { inTransaction } from '../db/transaction.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { createLoop, doneOnce, type JobHandler, type Loop, RETRY_SECONDS } from './loop.ts'
import { claimJobs, enqueue, finishJob, LEASE_SECONDS, postponeJob } from './queue.ts'

let database: TestDatabase
let handle: DatabaseHandle
let notices: Notices
let time = Date.UTC(2030, 0, 1)
const clock = { now: () => new Date(time) }
const advance = (seconds: number) => {
  time += seconds * 1000
}
const newKind = () => `kind ${randomUUID()}`

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

function loopOf(kind: string, handler: JobHandler, concurrency = 4): Loop {
  return createLoop({
    db: handle.db,
    notices,
    clock,
    log: createLog('silent'),
    metrics: createMetrics(),
    handlers: { [kind]: handler },
    chores: {},
    concurrency,
  })
}

function add(kind: string, ...data: unknown[]): Promise<void> {
  return inTransaction(handle.db, (tx) =>
    enqueue(
      tx,
      data.map((entry) => ({ kind, companyId: null, data: entry })),
      clock.now(),
    ),
  )
}

function rowsOf(kind: string) {
  return handle.db.selectFrom('jobs').selectAll().where('kind', '=', kind).orderBy('id').execute()
}

describe('jobs', () => {
  test('are done once, with their data, and then gone', async () => {
    const kind = newKind()
    const seen: unknown[] = []
    await add(kind, { a: 1 }, { a: 2 })
    const loop = loopOf(kind, async (job) => void seen.push(job.data))
    assert.equal(await loop.runDue(), 2)
    assert.deepEqual(seen, [{ a: 1 }, { a: 2 }])
    assert.equal(await loop.runDue(), 0)
    assert.deepEqual(await rowsOf(kind), [])
  })

  test('asked for in a transaction that is rolled back are never done', async () => {
    const kind = newKind()
    await assert.rejects(
      inTransaction(handle.db, async (tx) => {
        await enqueue(tx, [{ kind, companyId: null, data: {} }], clock.now())
        throw new Error('no')
      }),
    )
    assert.deepEqual(await rowsOf(kind), [])
  })

  test('are never done by two loops at once', async () => {
    const kind = newKind()
    const doing = new Set<number>()
    const done: number[] = []
    const handler: JobHandler = async ({ id }) => {
      assert.ok(!doing.has(id))
      doing.add(id)
      await new Promise(setImmediate)
      doing.delete(id)
      done.push(id)
    }
    await add(kind, ...Array.from({ length: 60 }, (_, index) => index))
    const loops = [loopOf(kind, handler), loopOf(kind, handler), loopOf(kind, handler)]
    await Promise.all(
      loops.map(async (loop) => {
        while ((await loop.runDue()) > 0);
      }),
    )
    assert.equal(done.length, 60)
    assert.equal(new Set(done).size, 60)
  })

  test('that fail are tried again by the schedule, then given up and kept to be seen', async () => {
    const kind = newKind()
    let tries = 0
    const loop = loopOf(kind, async () => {
      tries += 1
      throw new Error(`try ${tries}`)
    })
    await add(kind, {})
    for (const [index, wait] of RETRY_SECONDS.entries()) {
      assert.equal(await loop.runDue(), 1)
      assert.equal(tries, index + 1)
      advance(wait - 1)
      assert.equal(await loop.runDue(), 0, `earlier than ${wait} seconds`)
      advance(1)
    }
    assert.equal(await loop.runDue(), 1)
    const [job] = await rowsOf(kind)
    assert.deepEqual(
      { attempts: job?.attempts, last_error: job?.last_error, failed_at: job?.failed_at },
      { attempts: 5, last_error: 'try 5', failed_at: clock.now() },
    )
    advance(1_000_000)
    assert.equal(await loop.runDue(), 0)
  })

  test('of a worker that was killed come back when its lease runs out', async () => {
    const kind = newKind()
    await add(kind, {})
    assert.equal((await claimJobs(handle.db, [kind], clock.now(), 1)).length, 1)
    advance(LEASE_SECONDS - 1)
    assert.deepEqual(await claimJobs(handle.db, [kind], clock.now(), 1), [])
    advance(1)
    const [again] = await claimJobs(handle.db, [kind], clock.now(), 1)
    assert.equal(again?.attempts, 2)
  })

  test('that end every process that tries them are given up', async () => {
    const kind = newKind()
    await add(kind, {})
    for (let killed = 0; killed <= RETRY_SECONDS.length; killed += 1) {
      assert.equal((await claimJobs(handle.db, [kind], clock.now(), 1)).length, 1)
      advance(LEASE_SECONDS)
    }
    let tried = false
    await loopOf(kind, async () => {
      tried = true
    }).runDue()
    assert.equal(tried, false)
    assert.notEqual((await rowsOf(kind))[0]?.failed_at, null)
  })

  // A slow worker whose lease ran out must neither delete nor postpone what another one is doing by then.
  test('listen to the last one who claimed them only', async () => {
    const kind = newKind()
    await add(kind, {})
    const [first] = await claimJobs(handle.db, [kind], clock.now(), 1)
    advance(LEASE_SECONDS)
    const [second] = await claimJobs(handle.db, [kind], clock.now(), 1)
    const held = await rowsOf(kind)
    await finishJob(handle.db, first!)
    await postponeJob(handle.db, first!, clock.now(), 'late')
    assert.deepEqual(await rowsOf(kind), held)
    await finishJob(handle.db, second!)
    assert.deepEqual(await rowsOf(kind), [])
  })

  test('that only change the database leave one trace, whoever is killed or late', async () => {
    const kind = newKind()
    const trace = newKind()
    const leave = doneOnce(handle.db, (tx) => enqueue(tx, [{ kind: trace, companyId: null, data: {} }], clock.now()))
    await add(kind, {})
    const [late] = await claimJobs(handle.db, [kind], clock.now(), 1)
    advance(LEASE_SECONDS)
    const [job] = await claimJobs(handle.db, [kind], clock.now(), 1)
    // The first one comes to life again, and the second does it twice, once side by side with itself.
    await leave(late!)
    assert.equal((await rowsOf(kind)).length, 1)
    await Promise.all([leave(job!), leave(job!)])
    await leave(job!)
    await finishJob(handle.db, job!)
    assert.deepEqual([(await rowsOf(kind)).length, (await rowsOf(trace)).length], [0, 1])
  })

  test('that only change the database and fail leave nothing, and come again', async () => {
    const kind = newKind()
    const trace = newKind()
    let fails = true
    const handler = doneOnce(handle.db, async (tx) => {
      await enqueue(tx, [{ kind: trace, companyId: null, data: {} }], clock.now())
      if (fails) throw new Error('no')
    })
    const loop = loopOf(kind, handler)
    await add(kind, {})
    await loop.runDue()
    assert.deepEqual([(await rowsOf(kind))[0]?.last_error, (await rowsOf(trace)).length], ['no', 0])
    fails = false
    advance(RETRY_SECONDS[0])
    await loop.runDue()
    assert.deepEqual([(await rowsOf(kind)).length, (await rowsOf(trace)).length], [0, 1])
  })

  test('of an unknown kind are left to those who know it', async () => {
    const kind = newKind()
    await add(kind, {})
    assert.equal(await loopOf(newKind(), async () => {}).runDue(), 0)
    assert.equal((await rowsOf(kind))[0]?.attempts, 0)
  })
})

describe('a running loop', () => {
  test('does what is asked for at once', async () => {
    const kind = newKind()
    const waiting: (() => void)[] = []
    const loop = loopOf(kind, async () => waiting.shift()?.())
    const next = () => new Promise<void>((resolve) => void waiting.push(resolve))
    loop.start()
    const first = next()
    await add(kind, {})
    await first
    // Many rounds take far less than a poll each: the notices wake the loop.
    const started = Date.now()
    for (let round = 0; round < 10; round += 1) {
      const done = next()
      await add(kind, {})
      await done
    }
    assert.ok(Date.now() - started < 5000, `${Date.now() - started} ms for ten jobs, one after the other`)
    await loop.stop()
  })

  test('finishes what is under way when it is stopped, and takes no more', async () => {
    const kind = newKind()
    let release = () => {}
    const started = Promise.withResolvers<void>()
    const finished: unknown[] = []
    const loop = loopOf(
      kind,
      async ({ data }) => {
        started.resolve()
        await new Promise<void>((resolve) => {
          release = resolve
        })
        finished.push(data)
      },
      1,
    )
    await add(kind, 'first', 'second')
    loop.start()
    await started.promise
    let stopped = false
    const stopping = loop.stop().then(() => {
      stopped = true
    })
    await new Promise(setImmediate)
    assert.equal(stopped, false)
    release()
    await stopping
    assert.deepEqual(finished, ['first'])
    assert.deepEqual(
      (await rowsOf(kind)).map(({ data, attempts }) => ({ data, attempts })),
      [{ data: 'second', attempts: 0 }],
    )
  })
})

describe('chores', () => {
  test('are done when the loop starts, but for those that have time', async () => {
    const done: string[] = []
    const loop = createLoop({
      db: handle.db,
      notices,
      clock,
      log: createLog('silent'),
      metrics: createMetrics(),
      handlers: {},
      chores: {
        later: { everySeconds: 3600, firstAfterSeconds: 3600, run: async () => void done.push('later') },
        soon: { everySeconds: 3600, firstAfterSeconds: 0.01, run: async () => void done.push('soon') },
        now: { everySeconds: 0.01, run: async () => void done.push('now') },
      },
      concurrency: 1,
    })
    loop.start()
    while (!done.includes('soon') || done.length < 4) await new Promise((resolve) => setImmediate(resolve))
    // A stop waits for no chore that has not begun.
    await loop.stop()
    assert.equal(done[0], 'now')
    assert.ok(!done.includes('later'))
    assert.equal(done.filter((name) => name === 'soon').length, 1)
  })
})
