import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { type DatabaseHandle, type Db, openDatabase } from './database.ts'
import { prepare, prepareFamily } from './prepared.ts'
import { inTransaction } from './transaction.ts'
import { prepareInsert } from './writes.ts'

let database: TestDatabase
let handle: DatabaseHandle
before(async () => {
  database = await createDatabase()
  handle = openDatabase(database.connection, { poolMax: 1 })
})
after(async () => {
  await handle.close()
  await database.drop()
})

describe('a prepared statement', () => {
  test('is built once, and gets the values of each call in their places', async () => {
    let builds = 0
    const difference = prepare((db: Db, from: number, what: number) => {
      builds += 1
      return sql<{ left: number }>`select ${from}::int - ${what}::int - ${0}::int as left, ${what}::int`.compile(db)
    })
    for (const [from, what] of [
      [5, 3],
      [1, 1],
      [2, 9],
    ] as const) {
      const [row] = await difference(handle.db, from, what)
      assert.equal(row?.left, from - what)
    }
    assert.equal(builds, 1)
  })

  test('is another one for each constant, even if it is built the same way', async () => {
    const one = prepare((db: Db, value: string) =>
      sql<{ is: string }>`select 'one' || ${value}::text as is`.compile(db),
    )
    const two = prepare((db: Db, value: string) =>
      sql<{ is: string }>`select 'two' || ${value}::text as is`.compile(db),
    )
    assert.deepEqual(await one(handle.db, '!'), [{ is: 'one!' }])
    assert.deepEqual(await two(handle.db, '!'), [{ is: 'two!' }])
  })

  test('cannot compute with a value while it is built', async () => {
    const wrong = prepare((db: Db, value: number) => sql`select ${value + 1}::int`.compile(db))
    await assert.rejects(wrong(handle.db, 1), /cannot compute/)
  })

  test('cannot lose a value while it is built', async () => {
    const wrong = prepare((db: Db, value: string | null) => sql`select ${value === null ? value : 1}::int`.compile(db))
    await assert.rejects(wrong(handle.db, null), /value 1 is missing/)
  })
})

describe('a family of statements', () => {
  type Names = { least?: number | null | undefined; most?: number | null; isEven?: boolean }

  let builds: string[] = []
  const numbers = prepareFamily((db: Db, { least, most, isEven }: Names, last: number) => {
    const conditions = [
      ...(least === undefined ? [] : [sql`number >= coalesce(${least}::int, 3)`]),
      ...(most === undefined ? [] : [sql`number <= coalesce(${most}::int, 3)`]),
      ...(isEven === undefined ? [] : [isEven ? sql`number % 2 = 0` : sql`number % 2 = 1`]),
      sql`true`,
    ]
    const statement = sql<{ number: number }>`select number from generate_series(1, ${last}::int) as number
      where ${sql.join(conditions, sql` and `)} order by number`.compile(db)
    builds.push(statement.sql)
    return statement
  })
  const ask = async (given: Names) => (await numbers(handle.db, given, 6)).map(({ number }) => number)

  test('has one for every set of values that is given, and binds each by its name', async () => {
    builds = []
    for (let round = 0; round < 2; round += 1) {
      assert.deepEqual(await ask({}), [1, 2, 3, 4, 5, 6])
      assert.deepEqual(await ask({ least: 2, most: 4 }), [2, 3, 4])
      assert.deepEqual(await ask({ most: 2, least: 1 }), [1, 2])
      assert.deepEqual(await ask({ least: undefined, most: 4 }), [1, 2, 3, 4])
      assert.deepEqual(await ask({ least: null }), [3, 4, 5, 6])
      assert.deepEqual(await ask({ isEven: true }), [2, 4, 6])
      assert.deepEqual(await ask({ isEven: false, most: 3 }), [1, 3])
    }
    assert.equal(builds.length, 7)
  })

  test('keeps a bounded number of them, and builds the others whenever they are used', async () => {
    let count = 0
    const family = prepareFamily((db: Db, given: { [name: string]: number | undefined }) => {
      count += 1
      return sql`select ${sql.join(Object.values(given))}`.compile(db)
    })
    const names = Array.from({ length: 300 }, (_, index) => `name${index}`)
    for (let round = 0; round < 2; round += 1)
      await Promise.all(names.map((name) => family(handle.reads, { [name]: 1 })))
    assert.equal(count, 400)
  })
})

test('a prepared insert binds columns by their names, whatever the order of the row', async () => {
  const insert = prepareInsert('counters', { company_id: true, resource: true, slot: true, amount: true })
  // The database is this file's own, so the row needs no company.
  await sql`alter table counters drop constraint counters_company_id_fkey`.execute(handle.db)
  const rows = await inTransaction(handle.db, async (tx) => {
    await insert(tx, { amount: 4, slot: 3, resource: 'two', company_id: 1 })
    await insert(tx, { company_id: 1, amount: 9, resource: 'three', slot: 8 })
    return tx.selectFrom('counters').selectAll().orderBy('slot').execute()
  })
  assert.deepEqual(rows, [
    { company_id: 1, resource: 'two', slot: 3, amount: 4 },
    { company_id: 1, resource: 'three', slot: 8, amount: 9 },
  ])
})
