import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { controlledJobs, newKind, newLane, useJobs } from '#test/jobs.ts'
import type { Tx } from '../db/database.ts'
import { createNotices } from '../db/notices/notices.ts'
import { inTransaction } from '../db/transaction.ts'
import type { DB } from '../db/types.gen.ts'
import { asOneStatement, prepareWrite } from '../db/writes.ts'
import { createLog } from '../log/log.ts'
import { createMetrics } from '../log/metrics.ts'
import { createHandler } from './handlers.ts'
import { BEFORE_ALL, channelOf, claimJobs, enqueue, LEASE_SECONDS } from './queue.ts'

const jobs = useJobs()
const { clock, advance, add, rowsOf, loopOf, openCompanies } = jobs

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('a lane', () => {
  test('that is full delays no other', async () => {
    const [slow, quick] = [newKind(newLane(1)), newKind(newLane(1))]
    const work = controlledJobs()
    const done: unknown[] = []
    const doneAll = Promise.withResolvers<void>()
    const loop = loopOf([
      createHandler(slow, work.run),
      createHandler(quick, async ({ data }) => {
        if (done.push(data) === 3) doneAll.resolve()
      }),
    ])
    loop.start()
    await add(slow, null, 'slow', 'waiting')
    await work.until(() => work.started.length === 1)
    await add(quick, null, 1, 2, 3)
    await doneAll.promise
    assert.deepEqual([work.started, work.ended, done], [['slow'], [], [1, 2, 3]])
    work.release('slow')
    await work.until(() => work.started.length === 2)
    work.release('waiting')
    await loop.stop()
    assert.deepEqual(work.ended, ['slow', 'waiting'])
  })

  test('gets the next job into a slot as soon as it is free, whatever the others do', async () => {
    const kind = newKind(newLane(2))
    const work = controlledJobs()
    const loop = loopOf([createHandler(kind, work.run)])
    await add(kind, null, 'slow', 1, 2, 3, 4)
    loop.start()
    for (const quick of [1, 2, 3, 4]) {
      await work.until(() => work.started.includes(quick))
      work.release(quick)
    }
    await work.until(() => work.ended.length === 4)
    assert.deepEqual(work.ended, [1, 2, 3, 4])
    work.release('slow')
    await loop.stop()
    assert.deepEqual([work.ended.at(-1), work.runningMax(), await rowsOf(kind)], ['slow', 2, []])
  })

  test('holds its cap for all kinds and companies together, and uses it', async () => {
    const lane = newLane(3)
    const kinds = [newKind(lane), newKind(lane)] as const
    const work = controlledJobs()
    const loop = loopOf(kinds.map((kind) => createHandler(kind, work.run)))
    for (const [index, company] of (await openCompanies(4)).entries())
      await add(kinds[index % 2 === 0 ? 0 : 1], company, ...range(3).map((number) => index * 3 + number))
    const running = loop.runDue()
    for (let ended = 0; ended < 12; ended += 1) {
      await work.until(() => work.started.length === Math.min(ended + 3, 12))
      work.release(work.started[ended])
      await work.until(() => work.ended.length === ended + 1)
    }
    assert.deepEqual([await running, work.runningMax()], [12, 3])
  })

  test('serves its kinds in turn', async () => {
    const lane = newLane(1)
    const kinds = [newKind(lane), newKind(lane)] as const
    const seen: unknown[] = []
    const loop = loopOf(kinds.map((kind) => createHandler(kind, async ({ data }) => void seen.push(data))))
    await add(kinds[0], null, 'a1', 'a2', 'a3')
    await add(kinds[1], null, 'b1', 'b2', 'b3')
    assert.equal(await loop.runDue(), 6)
    assert.deepEqual(seen, ['a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
  })

  test('tells how many jobs it is doing', async () => {
    const lane = newLane(2)
    const kind = newKind(lane)
    const work = controlledJobs()
    const metrics = createMetrics()
    const gauge = async () =>
      (await metrics.read()).split('\n').find((line) => line.startsWith(`licet_jobs_running{lane="${lane.name}"}`))
    await add(kind, null, 1, 2, 3)
    const running = loopOf([createHandler(kind, work.run)], { metrics }).runDue()
    await work.until(() => work.started.length === 2)
    assert.match((await gauge()) ?? '', / 2$/)
    for (const job of [1, 2, 3]) {
      await work.until(() => work.started.includes(job))
      work.release(job)
    }
    await running
    assert.match((await gauge()) ?? '', / 0$/)
  })
})

describe('companies in a lane', () => {
  test('leave room for each other, however many jobs one of them has', async () => {
    const kind = newKind(newLane(3, 2))
    const [big, small] = (await openCompanies(2)) as [number, number]
    const work = controlledJobs()
    const loop = loopOf([createHandler(kind, work.run)])
    await add(kind, big, 'big 1', 'big 2', 'big 3', 'big 4')
    loop.start()
    await work.until(() => work.started.length === 2)
    await add(kind, small, 'small')
    await work.until(() => work.started.length === 3)
    assert.deepEqual(work.started, ['big 1', 'big 2', 'small'])
    work.release('small')
    await work.until(() => work.ended.length === 1)
    // The slot of the small one stays free, because the big one has as many as it may have.
    work.release('big 1')
    await work.until(() => work.started.length === 4)
    assert.deepEqual(work.started.slice(3), ['big 3'])
    work.release('big 2')
    await work.until(() => work.started.length === 5)
    work.release('big 3')
    work.release('big 4')
    await loop.stop()
    assert.equal(work.ended.length, 5)
  })

  test('get their turns, and jobs without a company have one of their own', async () => {
    const kind = newKind(newLane(1))
    const [one, two] = (await openCompanies(2)) as [number, number]
    const seen: unknown[] = []
    await add(kind, two, 'two', 'two', 'two')
    await add(kind, one, 'one', 'one')
    await add(kind, null, 'none', 'none', 'none', 'none')
    assert.equal(await loopOf([createHandler(kind, async ({ data }) => void seen.push(data))]).runDue(), 9)
    assert.deepEqual(seen, ['none', 'one', 'two', 'none', 'one', 'two', 'none', 'two', 'none'])
  })

  test('have the same cap for all kinds of the lane', async () => {
    const lane = newLane(4, 2)
    const kinds = [newKind(lane), newKind(lane)] as const
    const [company] = (await openCompanies(1)) as [number]
    const work = controlledJobs()
    const loop = loopOf(kinds.map((kind) => createHandler(kind, work.run)))
    await add(kinds[0], company, 0, 1, 2)
    await add(kinds[1], company, 3, 4, 5)
    const running = loop.runDue()
    for (let ended = 0; ended < 6; ended += 1) {
      await work.until(() => work.started.length === Math.min(ended + 2, 6))
      work.release(work.started[ended])
      await work.until(() => work.ended.length === ended + 1)
    }
    assert.deepEqual([await running, work.runningMax()], [6, 2])
  })
})

describe('a claim', () => {
  test('never exceeds its limit or the cap of a company, and workers at once get each job once', async () => {
    const kind = newKind()
    const companies = await openCompanies(5)
    for (const company of companies) await add(kind, company, ...range(60))
    const seen: number[] = []
    const worker = async (first: number) => {
      for (let after = first; ; ) {
        const running = new Map([[companies[0]!, 2]])
        const limits = { now: clock.now(), limit: 4, slotsPerCompany: 3 }
        const claimed = await claimJobs(jobs.db, kind, { ...limits, running, after })
        const of = (company: number) => claimed.filter(({ companyId }) => companyId === company).length
        assert.ok(claimed.length <= 4, `${claimed.length} claimed`)
        assert.ok(of(companies[0]!) <= 1 && companies.every((company) => of(company) <= 3))
        if (claimed.length === 0) return
        seen.push(...claimed.map(({ id }) => id))
        after = claimed[0]?.companyId ?? after
      }
    }
    await Promise.all([BEFORE_ALL, ...companies, companies[4]! + 1, BEFORE_ALL].map(worker))
    assert.deepEqual([seen.length, new Set(seen).size], [300, 300])
  })

  test('goes on with the next company, and past the last one with the first', async () => {
    const kind = newKind()
    const companies = await openCompanies(4)
    for (const company of companies) await add(kind, company, company, company)
    const claim = async (after: number, limit: number) => {
      const limits = { now: clock.now(), limit, slotsPerCompany: 1, running: new Map<number, number>(), after }
      return (await claimJobs(jobs.db, kind, limits)).map(({ companyId }) => companies.indexOf(companyId ?? 0))
    }
    assert.deepEqual(await claim(companies[1]!, 3), [0, 2, 3])
    assert.deepEqual(await claim(companies[0]!, 9), [0, 1, 2, 3])
    assert.deepEqual(await claim(BEFORE_ALL, 9), [1])
    assert.deepEqual(await claim(BEFORE_ALL, 9), [])
  })
})

describe('a running loop', () => {
  test('is woken by what is asked for', async () => {
    const kind = newKind()
    const work = controlledJobs()
    const loop = loopOf([createHandler(kind, work.run)])
    loop.start()
    const started = Date.now()
    for (const round of range(10)) {
      await add(kind, null, round)
      await work.until(() => work.started.length === round + 1)
      work.release(round)
    }
    // Ten polls take ten seconds.
    assert.ok(Date.now() - started < 5000, `${Date.now() - started} ms for ten jobs, one after the other`)
    await loop.stop()
  })

  test('finds without a notice what it was not told of', async () => {
    const kind = newKind()
    const work = controlledJobs()
    const deaf = createNotices(jobs.pool, createLog('silent'))
    const loop = loopOf([createHandler(kind, work.run)], { notices: deaf })
    await add(kind, null, 'found at the start')
    loop.start()
    await work.until(() => work.started.length === 1)
    work.release('found at the start')
    await work.until(() => work.ended.length === 1)
    await add(kind, null, 'found by the poll')
    await work.until(() => work.started.length === 2)
    work.release('found by the poll')
    await loop.stop()
    assert.deepEqual(await rowsOf(kind), [])
  })

  // PostgreSQL lets transactions that notify commit one after the other.
  test('is not woken by a kind that may wait', async () => {
    const [quiet, loud] = [newKind(newLane(1), { wakes: false }), newKind()]
    const listener = await jobs.pool.connect()
    try {
      const heard: string[] = []
      listener.on('notification', ({ channel }) => void heard.push(channel))
      for (const { lane } of [quiet, loud]) await listener.query(`listen ${channelOf(lane)}`)
      const notified = once(listener, 'notification')
      await add(quiet, null, 1)
      await add(loud, null, 1, 2, 3)
      await notified
      assert.deepEqual(heard, [channelOf(loud.lane)])
    } finally {
      listener.release(true)
    }
  })

  test('is woken by jobs that leave in one statement with other writes', async () => {
    const [first, last] = [newKind(), newKind()]
    const write = prepareWrite('insert', 'others' as string as keyof DB, (tx: Tx, id: number) =>
      sql`insert into others (id) values (${id})`.compile(tx),
    )
    const listener = await jobs.pool.connect()
    try {
      await listener.query('create table others (id bigint)')
      const heard: string[] = []
      listener.on('notification', ({ channel }) => void heard.push(channel))
      for (const { lane } of [first, last]) await listener.query(`listen ${channelOf(lane)}`)
      await inTransaction(jobs.db, async (tx) => {
        await enqueue(tx, { kind: first, companyId: null, data: 1 }, clock.now())
        await asOneStatement(tx, () => [write(tx, 1)])
      })
      await inTransaction(jobs.db, async (tx) => {
        await asOneStatement(tx, () => [write(tx, 2)])
        await enqueue(tx, { kind: last, companyId: null, data: 1 }, clock.now())
      })
      // Notifications come with the answer to a later statement at the latest.
      await listener.query('select 1')
      assert.deepEqual(heard, [channelOf(first.lane), channelOf(last.lane)])
    } finally {
      listener.release(true)
    }
  })

  test('finishes what is under way when it is stopped, and takes no more', async () => {
    const kind = newKind(newLane(2))
    const work = controlledJobs()
    const loop = loopOf([createHandler(kind, work.run)])
    await add(kind, null, 1, 2, 3)
    loop.start()
    await work.until(() => work.started.length === 2)
    let isStopped = false
    const stopping = loop.stop().then(() => {
      isStopped = true
    })
    work.release(1)
    await work.until(() => work.ended.length === 1)
    await add(kind, null, 4)
    assert.equal(isStopped, false)
    work.release(2)
    await stopping
    assert.deepEqual(
      [work.started, work.ended],
      [
        [1, 2],
        [1, 2],
      ],
    )
    assert.deepEqual(
      (await rowsOf(kind)).map(({ data, attempts }) => [data, attempts]),
      [
        [3, 0],
        [4, 0],
      ],
    )
  })

  test('that is killed loses nothing: another one does all of it when the lease has run out', async () => {
    const kind = newKind(newLane(2))
    const killed = controlledJobs()
    const done: unknown[] = []
    await add(kind, null, 1, 2, 3)
    // Its jobs never end, and it is never heard of again.
    void loopOf([createHandler(kind, killed.run)]).runDue()
    await killed.until(() => killed.started.length === 2)
    const other = loopOf([createHandler(kind, async ({ data }) => void done.push(data))])
    assert.equal(await other.runDue(), 1)
    advance(LEASE_SECONDS)
    assert.equal(await other.runDue(), 2)
    assert.deepEqual([done, await rowsOf(kind)], [[3, 1, 2], []])
  })
})
