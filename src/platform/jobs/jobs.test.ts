import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { claimDue, newKind, newLane, type TestKind, useJobs } from '#test/jobs.ts'
import { inTransaction } from '../db/transaction.ts'
import { createHandler, doneOnce, doneTogether, type JobHandler } from './handlers.ts'
import { defineJob } from './kinds.ts'
import { enqueue, finishJob, LEASE_SECONDS, postponeJob } from './queue.ts'
import { RETRY_SECONDS } from './retry.ts'
import { shortenWaits } from './waits.ts'

const jobs = useJobs()
const { clock, advance, add, rowsOf, loopOf, openCompanies } = jobs

describe('jobs', () => {
  test('are done once, with their data, and then gone', async () => {
    const kind = newKind()
    const seen: unknown[] = []
    await add(kind, null, { a: 1 }, { a: 2 })
    const loop = loopOf([createHandler(kind, async (job) => void seen.push(job.data))])
    assert.equal(await loop.runDue(), 2)
    assert.deepEqual(seen, [{ a: 1 }, { a: 2 }])
    assert.equal(await loop.runDue(), 0)
    assert.deepEqual(await rowsOf(kind), [])
  })

  test('asked for in a transaction that is rolled back are never done', async () => {
    const kind = newKind()
    await assert.rejects(
      inTransaction(jobs.db, async (tx) => {
        await enqueue(tx, { kind, companyId: null, data: {} }, clock.now())
        throw new Error('no')
      }),
    )
    assert.deepEqual(await rowsOf(kind), [])
  })

  test('are never done by two loops at once', async () => {
    const kind = newKind()
    const doing = new Set<number>()
    const done: number[] = []
    const handler = createHandler(kind, async ({ id }) => {
      assert.ok(!doing.has(id))
      doing.add(id)
      await new Promise(setImmediate)
      doing.delete(id)
      done.push(id)
    })
    await add(kind, null, ...Array.from({ length: 60 }, (_, index) => index))
    const loops = [loopOf([handler]), loopOf([handler]), loopOf([handler])]
    const counts = await Promise.all(loops.map((loop) => loop.runDue()))
    assert.equal(counts[0]! + counts[1]! + counts[2]!, 60)
    assert.equal(done.length, 60)
    assert.equal(new Set(done).size, 60)
  })

  test('that may be done together are one transaction, and one that fails is tried by itself', async () => {
    const kind = newKind()
    const [one = 0, other = 0] = await openCompanies(2)
    const batches = new Map<number, string[]>()
    const done = new Set<string>()
    let isBroken = true
    const own = doneTogether<unknown>({ db: jobs.db, clock }, async (_tx, { id, data }) => {
      const name = String(data)
      batches.set(id, [...(batches.get(id) ?? []), name])
      if (name === 'broken' && isBroken) throw new Error('broken')
      done.add(name)
    })
    const handler = createHandler(kind, (job) => own({ ...job, companyId: job.companyId ?? 0 }))
    const loop = loopOf([handler])
    await add(kind, one, ...Array.from({ length: 30 }, (_, index) => index))
    await add(kind, other, 'of another company')
    await loop.runDue()
    assert.equal(done.size, 31)
    assert.ok(batches.size <= 6, `${batches.size} transactions`)
    const ofOther = [...batches.values()].filter((batch) => batch.includes('of another company'))
    assert.deepEqual(ofOther, [['of another company']])
    assert.deepEqual(await rowsOf(kind), [])

    await add(kind, one, 'broken', 'good', 'better')
    await loop.runDue()
    advance(1_000)
    await loop.runDue()
    assert.deepEqual([done.has('good'), done.has('better'), done.has('broken')], [true, true, false])
    isBroken = false
    advance(100_000)
    await loop.runDue()
    assert.deepEqual([done.has('broken'), await rowsOf(kind)], [true, []])
  })

  test('that fail are tried again by the schedule, then given up and kept to be seen', async () => {
    const kind = newKind()
    let tries = 0
    const handler = createHandler(kind, async () => {
      tries += 1
      throw new Error(`try ${tries}`)
    })
    const loop = loopOf([handler])
    await add(kind, null, {})
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
    await add(kind, null, {})
    assert.equal((await claimDue(jobs.db, kind, clock.now())).length, 1)
    advance(LEASE_SECONDS - 1)
    assert.deepEqual(await claimDue(jobs.db, kind, clock.now()), [])
    advance(1)
    const [again] = await claimDue(jobs.db, kind, clock.now())
    assert.equal(again?.attempts, 2)
  })

  test('that end every process that tries them are given up', async () => {
    const kind = newKind()
    await add(kind, null, {})
    for (let killed = 0; killed <= RETRY_SECONDS.length; killed += 1) {
      assert.equal((await claimDue(jobs.db, kind, clock.now())).length, 1)
      advance(LEASE_SECONDS)
    }
    let tried = false
    const givenUp: unknown[] = []
    const handler = createHandler(
      kind,
      async () => {
        tried = true
      },
      async ({ data }) => void givenUp.push(data),
    )
    const loop = loopOf([handler])
    await loop.runDue()
    advance(1_000_000)
    assert.equal(await loop.runDue(), 0)
    assert.deepEqual([tried, givenUp], [false, [{}]])
    assert.notEqual((await rowsOf(kind))[0]?.failed_at, null)
  })

  // A slow worker whose lease ran out must neither delete nor postpone what another one is doing by then.
  test('listen to the last one who claimed them only', async () => {
    const kind = newKind()
    await add(kind, null, {})
    const [first] = await claimDue(jobs.db, kind, clock.now())
    advance(LEASE_SECONDS)
    const [second] = await claimDue(jobs.db, kind, clock.now())
    const held = await rowsOf(kind)
    await finishJob(jobs.db, first!)
    await postponeJob(jobs.db, first!, clock.now(), 'late')
    assert.deepEqual(await rowsOf(kind), held)
    await finishJob(jobs.db, second!)
    assert.deepEqual(await rowsOf(kind), [])
  })

  test('that only change the database leave one trace, whoever is killed or late', async () => {
    const kind = newKind()
    const trace = newKind()
    const leave = doneOnce(jobs.db, (tx) => enqueue(tx, { kind: trace, companyId: null, data: {} }, clock.now()))
    await add(kind, null, {})
    const [late] = await claimDue(jobs.db, kind, clock.now())
    advance(LEASE_SECONDS)
    const [job] = await claimDue(jobs.db, kind, clock.now())
    // The first one comes to life again, and the second does it twice, once side by side with itself.
    await leave(late!)
    assert.equal((await rowsOf(kind)).length, 1)
    await Promise.all([leave(job!), leave(job!)])
    await leave(job!)
    await finishJob(jobs.db, job!)
    assert.deepEqual([(await rowsOf(kind)).length, (await rowsOf(trace)).length], [0, 1])
  })

  test('that only change the database and fail leave nothing, and come again', async () => {
    const kind = newKind()
    const trace = newKind()
    let fails = true
    const work = doneOnce(jobs.db, async (tx) => {
      await enqueue(tx, { kind: trace, companyId: null, data: {} }, clock.now())
      if (fails) throw new Error('no')
    })
    const loop = loopOf([createHandler(kind, work)])
    await add(kind, null, {})
    await loop.runDue()
    assert.deepEqual([(await rowsOf(kind))[0]?.last_error, (await rowsOf(trace)).length], ['no', 0])
    fails = false
    advance(RETRY_SECONDS[0])
    await loop.runDue()
    assert.deepEqual([(await rowsOf(kind)).length, (await rowsOf(trace)).length], [0, 1])
  })

  test('of an unknown kind are left to those who know it', async () => {
    const kind = newKind()
    await add(kind, null, {})
    assert.equal(await loopOf([createHandler(newKind(), async () => {})]).runDue(), 0)
    assert.equal((await rowsOf(kind))[0]?.attempts, 0)
  })

  test('are those that jobs ask for, too, whatever their lane', async () => {
    const [first, second] = [newKind(newLane(1)), newKind(newLane(1))]
    const seen: unknown[] = []
    const handlers = [
      createHandler(second, async ({ data }) => void seen.push(data)),
      createHandler(first, () => add(second, null, 'asked for')),
    ]
    await add(first, null, {})
    assert.equal(await loopOf(handlers).runDue(), 2)
    assert.deepEqual(seen, ['asked for'])
  })

  test('have the data and the company of their kind, or they do not compile', async () => {
    const ofCompany = defineJob<{ id: number }>('typed', { lane: newLane(1) })
    const neverCalled = (tx: Parameters<typeof enqueue>[0]) => [
      enqueue(tx, { kind: ofCompany, companyId: 1, data: { id: 1 } }, clock.now()),
      // @ts-expect-error its data is another
      enqueue(tx, { kind: ofCompany, companyId: 1, data: { id: '1' } }, clock.now()),
      // @ts-expect-error it belongs to a company
      enqueue(tx, { kind: ofCompany, companyId: null, data: { id: 1 } }, clock.now()),
      // @ts-expect-error the handler would read what is not there
      createHandler(ofCompany, async ({ data }) => void data.name),
    ]
    assert.equal(typeof neverCalled, 'function')
  })

  test('of one kind have one handler', () => {
    const handler: JobHandler = createHandler(newKind(), async () => {})
    assert.throws(() => loopOf([handler, handler]), /has two handlers/)
  })
})

describe('a clock that was ahead and has gone back', () => {
  test('has no job wait for the time that it had shown', async () => {
    const kinds = { untried: newKind(), leased: newKind(), failed: newKind() }
    advance(3600)
    for (const kind of Object.values(kinds)) await add(kind, null, {})
    await claimDue(jobs.db, kinds.leased, clock.now())
    const [failed] = await claimDue(jobs.db, kinds.failed, clock.now())
    assert.ok(failed)
    await postponeJob(jobs.db, failed, new Date(clock.now().getTime() + RETRY_SECONDS[0] * 1000), 'no')
    advance(-3600)
    const due = async () => {
      await shortenWaits(jobs.db, clock.now())
      const claimed = Object.entries(kinds).map(async ([name, kind]) => {
        const [job] = await claimDue(jobs.db, kind, clock.now())
        if (job !== undefined) await finishJob(jobs.db, job)
        return job === undefined ? [] : [name]
      })
      return (await Promise.all(claimed)).flat()
    }
    assert.deepEqual(await due(), ['untried'])
    advance(RETRY_SECONDS[0])
    assert.deepEqual(await due(), ['failed'])
    advance(LEASE_SECONDS - RETRY_SECONDS[0])
    assert.deepEqual(await due(), ['leased'])
  })

  test('has nothing begin sooner that is meant for later, by what was left of its time when it was written', async () => {
    const [early, ahead] = [newKind(), newKind()]
    const enqueueFor = (kind: TestKind, seconds: number) => {
      const dueAt = new Date(clock.now().getTime() + seconds * 1000)
      return inTransaction(jobs.db, (tx) => enqueue(tx, { kind, companyId: null, data: {} }, clock.now(), dueAt))
    }
    await enqueueFor(early, 3000)
    advance(3600)
    await enqueueFor(ahead, 3000)
    advance(-3600)
    const dueIn = async (kind: TestKind) => {
      await shortenWaits(jobs.db, clock.now())
      const [job] = await rowsOf(kind)
      return job && (job.due_at.getTime() - clock.now().getTime()) / 1000
    }
    assert.deepEqual([await dueIn(early), await dueIn(ahead)], [3000, 3000])
    advance(1000)
    assert.deepEqual([await dueIn(early), await dueIn(ahead)], [2000, 2000])
  })

  test('changes nothing about waits that are as long as they may be', async () => {
    const [leased, failed] = [newKind(), newKind()]
    for (const kind of [leased, failed]) await add(kind, null, {})
    await claimDue(jobs.db, leased, clock.now())
    const [job] = await claimDue(jobs.db, failed, clock.now())
    assert.ok(job)
    await postponeJob(jobs.db, job, new Date(clock.now().getTime() + RETRY_SECONDS[0] * 1000), 'no')
    const before = [await rowsOf(leased), await rowsOf(failed)]
    await shortenWaits(jobs.db, clock.now())
    assert.deepEqual([await rowsOf(leased), await rowsOf(failed)], before)
  })
})
