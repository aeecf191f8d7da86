import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type pg from 'pg'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { type DatabaseHandle, type Db, openDatabase } from '../database.ts'
import { inTransaction } from '../transaction.ts'

let database: TestDatabase
let handle: DatabaseHandle
let descriptions = 0

before(async () => {
  database = await createDatabase()
  handle = openDatabase(database.connection, { poolMax: 1 })
  handle.pool.on('connect', (client: pg.PoolClient & { connection?: NodeJS.EventEmitter }) => {
    client.connection?.on('rowDescription', () => {
      descriptions += 1
    })
  })
})

after(async () => {
  await handle.close()
  await database.drop()
})

const TIMES = 3

/** Runs a statement several times on one connection; returns the results, and how often its rows were described. */
async function repeat<Row>(statement: (time: number) => ReturnType<typeof sql<Row>>) {
  const before = descriptions
  const results = await inTransaction(handle.db, async (tx) => {
    const all = []
    for (let time = 0; time < TIMES; time += 1) all.push(await statement(time).execute(tx))
    return all
  })
  return { results, described: descriptions - before }
}

describe('a statement that is executed again', () => {
  test('gets the same kinds of values, and its rows are described once', async () => {
    const { results, described } = await repeat(
      (time) => sql`select ${time}::bigint as number, ${String(time)}::text as text, null::int as nothing,
        to_timestamp(${time}::int) as time, array[${time}]::int[] as list`,
    )
    assert.deepEqual(
      results.map(({ rows }) => rows),
      [0, 1, 2].map((time) => [
        { number: time, text: String(time), nothing: null, time: new Date(time * 1000), list: [time] },
      ]),
    )
    assert.equal(described, 1)
  })

  test('may find rows after it has found none', async () => {
    const { results } = await repeat((time) => sql`select ${time}::int as time where ${time}::int > 0`)
    assert.deepEqual(
      results.map(({ rows }) => rows),
      [[], [{ time: 1 }], [{ time: 2 }]],
    )
  })

  test('says how many rows it has changed, with or without returning them', async () => {
    await sql`create table kept (id int, note text)`.execute(handle.db)
    const inserted = await repeat((time) => sql`insert into kept values (${time}, ${'a'}), (${time + 10}, ${'b'})`)
    assert.deepEqual(
      inserted.results.map(({ rows, numAffectedRows }) => [rows, numAffectedRows]),
      Array.from({ length: TIMES }, () => [[], 2n]),
    )
    const deleted = await repeat((time) => sql`delete from kept where id = ${time} returning note`)
    assert.deepEqual(
      deleted.results.map(({ rows, numAffectedRows }) => [rows, numAffectedRows]),
      Array.from({ length: TIMES }, () => [[{ note: 'a' }], 1n]),
    )
  })

  test('works again after it has failed', async () => {
    const divide = (by: number) => sql<{ result: number }>`select 10 / ${by}::int as result`.execute(handle.db)
    await assert.rejects(divide(0), { code: '22012' })
    assert.deepEqual((await divide(5)).rows, [{ result: 2 }])
    await assert.rejects(divide(0), { code: '22012' })
    assert.deepEqual((await divide(2)).rows, [{ result: 5 }])
  })

  // A newer version of the service may add columns while an older one is still running.
  test('works on after its table has got another column', async () => {
    await sql`create table growing (first int)`.execute(handle.db)
    await sql`insert into growing values (${1})`.execute(handle.db)
    const ways: ((read: (db: Db) => Promise<unknown>) => Promise<unknown>)[] = [
      (read) => read(handle.db),
      (read) => read(handle.reads),
      (read) => inTransaction(handle.db, read),
    ]
    for (const [index, way] of ways.entries()) {
      const read = (number: number) =>
        way(
          async (db) =>
            (await sql`select growing.*, ${number}::int as ${sql.ref(`number${index}`)} from growing`.execute(db)).rows
              .length,
        )
      assert.equal(await read(1), 1)
      await sql`alter table growing add column ${sql.ref(`more${index}`)} int`.execute(handle.db)
      for (const number of [2, 3, 4]) assert.equal(await read(number), 1)
    }
  })
})
