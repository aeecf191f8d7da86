import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { type DatabaseHandle, openDatabase, statementCount, type Tx } from './database.ts'
import { inTransaction } from './transaction.ts'
import { asOneStatement, prepareWrite } from './writes.ts'

let database: TestDatabase
let handle: DatabaseHandle
before(async () => {
  database = await createDatabase()
  handle = openDatabase(database.connection, { poolMax: 1 })
  await sql`create table parents (id bigint primary key, name text)`.execute(handle.db)
  await sql`create table children (id bigint primary key, parent_id bigint references parents)`.execute(handle.db)
})
after(async () => {
  await handle.close()
  await database.drop()
})
beforeEach(() => sql`truncate parents, children`.execute(handle.db))

const addParent = prepareWrite((tx: Tx, id: number, name: string) =>
  sql`insert into parents (id, name) values (${id}, ${name})`.compile(tx),
)
const addChild = prepareWrite((tx: Tx, id: number, parentId: number) =>
  sql`insert into children (id, parent_id) values (${id}, ${parentId})`.compile(tx),
)
const rename = prepareWrite((tx: Tx, id: number, name: string) =>
  sql`update parents set name = ${name} where id = ${id}`.compile(tx),
)

async function rows(): Promise<unknown[]> {
  const { rows } = await sql`select parents.id, name, children.id as child from parents
    left join children on parent_id = parents.id order by parents.id, children.id`.execute(handle.db)
  return rows
}

/** How many statements a transaction sends, beside its begin and commit. */
async function statementsOf(work: (tx: Tx) => Promise<unknown>): Promise<number> {
  const before = statementCount()
  await inTransaction(handle.db, work)
  return statementCount() - before - 2
}

describe('writes that are begun together', () => {
  test('are one statement, each with its own values', async () => {
    await inTransaction(handle.db, (tx) => addParent(tx, 1, 'old'))
    const sent = await statementsOf((tx) =>
      asOneStatement(tx, () => [addChild(tx, 5, 2), addParent(tx, 2, 'two'), rename(tx, 1, 'new'), addChild(tx, 6, 2)]),
    )
    assert.equal(sent, 1)
    assert.deepEqual(await rows(), [
      { id: 1, name: 'new', child: null },
      { id: 2, name: 'two', child: 5 },
      { id: 2, name: 'two', child: 6 },
    ])
  })

  // Locks are taken in this order. PostgreSQL itself would run them in another one.
  test('are run in the order in which they are begun', async () => {
    await sql`create temporary sequence turns`.execute(handle.db)
    const addNumbered = prepareWrite((tx: Tx, id: number) =>
      sql`insert into parents (id, name) values (${id}, nextval('turns'))`.compile(tx),
    )
    await inTransaction(handle.db, (tx) =>
      asOneStatement(tx, () => [addNumbered(tx, 4), addNumbered(tx, 2), addNumbered(tx, 3), addNumbered(tx, 1)]),
    )
    const { rows } = await sql<{ id: number }>`select id from parents order by name`.execute(handle.db)
    assert.deepEqual(
      rows.map(({ id }) => id),
      [4, 2, 3, 1],
    )
  })

  test('are sent alone where there is one, and not at all where there is none', async () => {
    assert.equal(await statementsOf((tx) => asOneStatement(tx, () => [addParent(tx, 1, 'one')])), 1)
    assert.equal(await statementsOf((tx) => asOneStatement(tx, () => [])), 0)
    assert.equal((await rows()).length, 1)
  })

  test('give back what the functions around them return, in order', async () => {
    const named = async (tx: Tx, id: number) => {
      await addParent(tx, id, 'x')
      return `parent ${id}`
    }
    const results = await inTransaction(handle.db, (tx) => asOneStatement(tx, () => [named(tx, 1), 7, named(tx, 2)]))
    assert.deepEqual(results, ['parent 1', 7, 'parent 2'])
  })

  test('are none if one of them fails', async () => {
    const work = inTransaction(handle.db, (tx) =>
      asOneStatement(tx, () => [addParent(tx, 1, 'one'), addChild(tx, 1, 99)]),
    )
    await assert.rejects(work, { code: '23503' })
    assert.deepEqual(await rows(), [])
  })

  test('report their own error where the statements after them fail because of it', async () => {
    const work = inTransaction(handle.db, async (tx) => {
      await asOneStatement(tx, () => [addParent(tx, 1, 'one'), addChild(tx, 1, 99)])
      await sql`select 1`.execute(tx)
    })
    await assert.rejects(work, { code: '23503' })
    assert.deepEqual(await rows(), [])
  })

  test('are there for the statements after them, and leave in their order', async () => {
    const seen = await inTransaction(handle.db, async (tx) => {
      await asOneStatement(tx, () => [addParent(tx, 1, 'one')])
      await asOneStatement(tx, () => [rename(tx, 1, 'two'), addChild(tx, 7, 1)])
      const { rows } = await sql`select name from parents`.execute(tx)
      return rows
    })
    assert.deepEqual(seen, [{ name: 'two' }])
    assert.deepEqual(await rows(), [{ id: 1, name: 'two', child: 7 }])
  })

  test('become part of those that wait, if they do not need what those write', async () => {
    const sent = await statementsOf(async (tx) => {
      await asOneStatement(tx, () => [addParent(tx, 1, 'one')])
      await asOneStatement(tx, () => [addChild(tx, 7, 1)])
    })
    assert.equal(sent, 1)
    assert.deepEqual(await rows(), [{ id: 1, name: 'one', child: 7 }])
    const copyParents = prepareWrite((tx: Tx, offset: number) =>
      sql`insert into children (id, parent_id) select id + ${offset}, id from parents`.compile(tx),
    )
    const apart = await statementsOf(async (tx) => {
      await asOneStatement(tx, () => [addParent(tx, 2, 'two')])
      await asOneStatement(tx, () => [copyParents(tx, 10)])
      await asOneStatement(tx, () => [rename(tx, 2, 'second')])
      await asOneStatement(tx, () => [rename(tx, 2, 'third')])
    })
    assert.equal(apart, 3)
    assert.deepEqual(await rows(), [
      { id: 1, name: 'one', child: 7 },
      { id: 1, name: 'one', child: 11 },
      { id: 2, name: 'third', child: 12 },
    ])
  })

  test('are one statement where functions in them put writes together themselves', async () => {
    const family = (tx: Tx) => asOneStatement(tx, () => [addParent(tx, 1, 'one'), addChild(tx, 7, 1)])
    const sent = await statementsOf((tx) => asOneStatement(tx, () => [family(tx), addParent(tx, 2, 'two')]))
    assert.equal(sent, 1)
    assert.equal((await rows()).length, 2)
  })

  test('are not written if the work fails after them', async () => {
    const work = inTransaction(handle.db, async (tx) => {
      await asOneStatement(tx, () => [addParent(tx, 1, 'one')])
      throw new Error('refused')
    })
    await assert.rejects(work, { message: 'refused' })
    await inTransaction(handle.db, (tx) => addParent(tx, 2, 'next'))
    assert.deepEqual(await rows(), [{ id: 2, name: 'next', child: null }])
  })

  test('do not gather what comes later, or in another transaction', async () => {
    const late = async (tx: Tx) => {
      await addParent(tx, 1, 'first')
      await rename(tx, 1, 'later')
    }
    assert.equal(await statementsOf((tx) => asOneStatement(tx, () => [late(tx)])), 2)
    assert.deepEqual(await rows(), [{ id: 1, name: 'later', child: null }])
  })
})
