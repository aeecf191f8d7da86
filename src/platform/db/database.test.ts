import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { type Connection, type Db, isDatabaseAway, openDatabase, streamOf, type Tx, WITHOUT_LIMIT } from './database.ts'
import { inTransaction } from './transaction.ts'
import type { DB } from './types.gen.ts'
import { asOneStatement, prepareWrite } from './writes.ts'

let database: TestDatabase
before(async () => {
  database = await createDatabase('empty')
})
after(() => database.drop())

type Watched = { connection: Connection; writes: Buffer[]; freeze(): void; close(): Promise<void> }

/** Stands between the client and PostgreSQL and keeps every write of the client. */
async function watch(connection: Connection): Promise<Watched> {
  const { host, port, user, database: name } = new pg.Client(connection)
  const folder = await mkdtemp(join(tmpdir(), 'licet-wire-'))
  const writes: Buffer[] = []
  const targets: Socket[] = []
  const server = createServer((client) => {
    const target = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host)
    client.on('data', (bytes) => writes.push(Buffer.from(bytes)))
    targets.push(target)
    client.pipe(target).pipe(client)
    client.on('error', () => target.destroy())
    target.on('error', () => client.destroy())
  })
  server.listen(join(folder, '.s.PGSQL.5432'))
  await once(server, 'listening')
  const close = async () => {
    server.close()
    await once(server, 'close')
    await rm(folder, { recursive: true })
  }
  const freeze = () => {
    for (const target of targets) target.unpipe().pause()
  }
  return { connection: { host: folder, user: user ?? '', database: name ?? '' }, writes, freeze, close }
}

/** Closed when the test ends, also when it fails: an open server would keep the process alive. */
function open(t: TestContext, options: { poolMax: number; answerMs?: number }) {
  const handle = openDatabase(database.connection, options)
  t.after(() => handle.close())
  return handle
}

async function openWatched(t: TestContext, options: { poolMax: number; answerMs?: number }) {
  const watched = await watch(database.connection)
  const handle = openDatabase(watched.connection, options)
  t.after(async () => {
    await handle.close()
    await watched.close()
  })
  return { ...handle, watched }
}

// All of these rest on parts of pg that a new version may change without a word.
describe('statements that are asked for together', () => {
  test('leave in one write with those of other ticks of the same turn of the event loop, as requests come', async (t) => {
    const { reads, watched } = await openWatched(t, { poolMax: 1 })
    const read = (value: number) => sql<{ value: number }>`select ${value}::int as value`.execute(reads)
    await read(0)
    watched.writes.length = 0
    const values = [1, 2, 3, 4]
    // Callbacks of one turn, each with ticks of its own, as those of sockets that have something to read.
    const results = await Promise.all(
      values.map((value) => new Promise((resolve) => setImmediate(() => process.nextTick(() => resolve(read(value)))))),
    )
    assert.deepEqual(
      results.map((result) => (result as { rows: { value: number }[] }).rows[0]?.value),
      values,
    )
    assert.equal(watched.writes.length, 1)
  })

  test('leave in one write, named, and are answered in order', async (t) => {
    const { db, watched } = await openWatched(t, { poolMax: 1 })
    const numbers = [1, 2, 3, 4, 5]
    await inTransaction(db, async (tx) => {
      const ask = () =>
        Promise.all(numbers.map((number) => sql<{ number: number }>`select ${number}::int as number`.execute(tx)))
      await ask()
      watched.writes.length = 0
      const answers = await ask()
      assert.deepEqual(
        answers.map(({ rows }) => rows[0]?.number),
        numbers,
      )
      assert.equal(watched.writes.length, 1)
      assert.ok(!watched.writes[0]?.includes('select'), 'the text of a statement travels once')
      const { rows } = await sql<{ count: number }>`select count(*) from pg_prepared_statements
        where statement = ${'select $1::int as number'}`.execute(tx)
      assert.equal(rows[0]?.count, 1)
    })
  })

  test('leave with the commit if they only write', async (t) => {
    const { db, watched } = await openWatched(t, { poolMax: 1 })
    await sql`create table numbers (number int)`.execute(db)
    const add = prepareWrite('insert', 'numbers' as string as keyof DB, (tx: Tx, number: number) =>
      sql`insert into numbers values (${number})`.compile(tx),
    )
    watched.writes.length = 0
    await inTransaction(db, (tx) => asOneStatement(tx, () => [add(tx, 1), add(tx, 2)]))
    assert.equal(watched.writes.length, 1)
    const { rows } = await sql<{ sum: number }>`select sum(number) from numbers`.execute(db)
    assert.equal(rows[0]?.sum, 3)
  })

  test('fail alone among reads', async (t) => {
    const { reads } = open(t, { poolMax: 1 })
    const divisors = Array.from({ length: 24 }, (_, index) => (index % 5 === 2 ? 0 : index + 1))
    const answers = await Promise.allSettled(
      divisors.map((divisor) =>
        sql<{ result: number }>`select (24 * ${divisor}::int / ${divisor}::int) as result`.execute(reads),
      ),
    )
    assert.deepEqual(
      answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.rows[0]?.result : answer.reason.code)),
      divisors.map((divisor) => (divisor === 0 ? '22012' : 24)),
    )
  })

  test('are tried again after a deadlock, also if nobody waited for the one that found it', async (t) => {
    const { db } = open(t, { poolMax: 1 })
    let attempts = 0
    const work = async (tx: Tx) => {
      attempts += 1
      if (attempts === 1) sql`do $$ begin raise exception using errcode = '40P01'; end $$`.execute(tx).catch(() => {})
      await sql`select ${1}::int`.execute(tx)
      return attempts
    }
    assert.equal(await inTransaction(db, work), 2)
  })

  test('need the stream of the connection, and say so where pg does not have it', () => {
    assert.ok(streamOf(new pg.Client()))
    assert.throws(() => streamOf({ connection: {} }), /keeps the stream of a connection elsewhere/)
    assert.throws(() => streamOf({}), /keeps the stream of a connection elsewhere/)
  })
})

describe('a database that answers no more', () => {
  test('counts as away, for reads and for transactions, and is used again when it is back', async (t) => {
    const { db, reads, watched } = await openWatched(t, { poolMax: 1, answerMs: 200 })
    const one = (from: Db) => sql`select ${1}::int`.execute(from)
    await Promise.all([one(reads), inTransaction(db, one)])
    watched.freeze()
    const failures = await Promise.all([one(reads), inTransaction(db, one)].map((work) => work.catch((error) => error)))
    for (const failure of failures) assert.ok(isDatabaseAway(failure), String(failure))
    // The broken connections are dropped in a moment, and a statement that meets one fails in the same way.
    for (const work of [() => one(reads), () => inTransaction(db, one)]) {
      let outcome: unknown
      do outcome = await work().catch((error) => error)
      while (isDatabaseAway(outcome))
      assert.ok(!(outcome instanceof Error), String(outcome))
    }
  })

  test('may take its time for a migration', async (t) => {
    const { db } = open(t, { poolMax: 1, answerMs: 50 })
    await sql.raw(`${WITHOUT_LIMIT} select pg_sleep(0.3)`).execute(db)
    await assert.rejects(sql`select pg_sleep(${0.3})`.execute(db), isDatabaseAway)
  })
})
