import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { type DatabaseHandle, openDatabase, statementCount, type Tx } from './database.ts'
import { inTransaction } from './transaction.ts'
import type { DB } from './types.gen.ts'
import { asOneStatement, prepareWrite } from './writes.ts'

let database: TestDatabase
let handle: DatabaseHandle
before(async () => {
  database = await createDatabase()
  handle = openDatabase(database.connection, { poolMax: 1 })
  await sql`create table parents (id bigint primary key, name text)`.execute(handle.db)
  await sql`create table children (id bigint primary key, parent_id bigint references parents)`.execute(handle.db)
  await sql`create sequence turns`.execute(handle.db)
})
after(async () => {
  await handle.close()
  await database.drop()
})
beforeEach(() => sql`truncate parents, children`.execute(handle.db))

// The tables of this file are not in the generated types.
const PARENTS = 'parents' as string as keyof DB
const CHILDREN = 'children' as string as keyof DB

const addParent = prepareWrite('insert', PARENTS, (tx: Tx, id: number, name: string) =>
  sql`insert into parents (id, name) values (${id}, ${name})`.compile(tx),
)
const addChild = prepareWrite('insert', CHILDREN, (tx: Tx, id: number, parentId: number) =>
  sql`insert into children (id, parent_id) values (${id}, ${parentId})`.compile(tx),
)
const rename = prepareWrite('update', PARENTS, (tx: Tx, id: number, name: string) =>
  sql`update parents set name = ${name} where id = ${id}`.compile(tx),
)

const putParent = prepareWrite('upsert', PARENTS, (tx: Tx, id: number, name: string) =>
  sql`insert into parents (id, name) values (${id}, ${name})
    on conflict (id) do update set name = excluded.name`.compile(tx),
)
const removeParent = prepareWrite('delete', PARENTS, (tx: Tx, id: number) =>
  sql`delete from parents where id = ${id}`.compile(tx),
)
const addNumbered = prepareWrite('insert', PARENTS, (tx: Tx, id: number) =>
  sql`insert into parents (id, name) values (${id}, nextval('turns'))`.compile(tx),
)

/** The same, as a statement of its own. */
function sendNumbered(tx: Tx, id: number) {
  return sql`insert into parents (id, name) values (${id}, nextval('turns'))`.execute(tx)
}

/** The ids that a transaction inserts, in the order in which PostgreSQL has inserted them. */
async function turnsOf(work: (tx: Tx) => Promise<unknown>): Promise<number[]> {
  await sql`truncate parents, children`.execute(handle.db)
  await inTransaction(handle.db, work)
  const { rows } = await sql<{ id: number }>`select id from parents order by name::int`.execute(handle.db)
  return rows.map(({ id }) => id)
}

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
      asOneStatement(tx, () => [addChild(tx, 5, 1), rename(tx, 1, 'new'), addChild(tx, 6, 1)]),
    )
    assert.equal(sent, 1)
    assert.deepEqual(await rows(), [
      { id: 1, name: 'new', child: 5 },
      { id: 1, name: 'new', child: 6 },
    ])
  })

  // Locks are taken in this order. PostgreSQL itself would run them in another one.
  test('are run in the order in which they are begun', async () => {
    const work = (tx: Tx) =>
      asOneStatement(tx, () => [addNumbered(tx, 4), addNumbered(tx, 2), addNumbered(tx, 3), addNumbered(tx, 1)])
    assert.deepEqual(await turnsOf(work), [4, 2, 3, 1])
  })

  test('leave after other statements that are begun among them', async () => {
    const work = (tx: Tx) =>
      asOneStatement(tx, () => [addNumbered(tx, 1), sendNumbered(tx, 2), addNumbered(tx, 3), sendNumbered(tx, 4)])
    assert.deepEqual(await turnsOf(work), [2, 4, 1, 3])
  })

  test('leave between the statements that are begun before and after them', async () => {
    const together = (tx: Tx) =>
      Promise.all([
        sendNumbered(tx, 1),
        asOneStatement(tx, () => [addNumbered(tx, 2)]),
        sendNumbered(tx, 3),
        asOneStatement(tx, () => [addNumbered(tx, 4), addNumbered(tx, 5)]),
        addNumbered(tx, 6),
      ])
    assert.deepEqual(await turnsOf(together), [1, 2, 3, 4, 5, 6])
    const inTurn = async (tx: Tx) => {
      await asOneStatement(tx, () => [addNumbered(tx, 11)])
      await sendNumbered(tx, 12)
      await asOneStatement(tx, () => [addNumbered(tx, 13)])
      await asOneStatement(tx, () => [addNumbered(tx, 14)])
    }
    assert.deepEqual(await turnsOf(inTurn), [11, 12, 13, 14])
  })

  // PostgreSQL would do one of two changes of a row, and not say so.
  test('are refused where two of them write one table, unless both only insert', async () => {
    await inTransaction(handle.db, (tx) => addParent(tx, 1, 'old'))
    const refused: ((tx: Tx) => Promise<void>[])[] = [
      (tx) => [rename(tx, 1, 'a'), rename(tx, 1, 'b')],
      (tx) => [addParent(tx, 2, 'two'), rename(tx, 2, 'b')],
      (tx) => [rename(tx, 1, 'a'), addParent(tx, 2, 'two')],
      (tx) => [putParent(tx, 1, 'a'), putParent(tx, 2, 'b')],
      (tx) => [addParent(tx, 2, 'two'), putParent(tx, 1, 'a')],
      (tx) => [removeParent(tx, 1), addChild(tx, 5, 1), addParent(tx, 1, 'again')],
    ]
    for (const start of refused) {
      const work = inTransaction(handle.db, (tx) => asOneStatement(tx, () => start(tx)))
      await assert.rejects(work, { message: /^one statement cannot write parents twice/ })
    }
    const nested = inTransaction(handle.db, (tx) =>
      asOneStatement(tx, () => [rename(tx, 1, 'a'), asOneStatement(tx, () => [rename(tx, 1, 'b')])]),
    )
    await assert.rejects(nested, { message: /^one statement cannot write parents twice/ })
    assert.deepEqual(await rows(), [{ id: 1, name: 'old', child: null }])
  })

  test('are of the kind and the table that they are declared as, whatever else their text says', async () => {
    const build = (tx: Tx, id: number) => sql`insert into parents (id, name) values (${id}, 'children')`.compile(tx)
    const put = (tx: Tx, id: number) =>
      sql`insert into parents (id, name) values (${id}, '') on conflict (id) do update set name = 'again'`.compile(tx)
    const wrong = [
      prepareWrite('insert', CHILDREN, build),
      prepareWrite('update', PARENTS, build),
      prepareWrite('upsert', PARENTS, build),
      prepareWrite('insert', PARENTS, put),
      prepareWrite('insert', PARENTS, (tx: Tx, id: number) =>
        sql`with one as (select 1) insert into parents (id) values (${id})`.compile(tx),
      ),
    ]
    for (const write of wrong)
      await assert.rejects(
        inTransaction(handle.db, (tx) => write(tx, 1)),
        { message: /^this statement is not the \w+ of \w+ that it is declared as: / },
      )
    assert.deepEqual(await rows(), [])
    await inTransaction(handle.db, (tx) => prepareWrite('upsert', PARENTS, put)(tx, 1))
    assert.equal((await rows()).length, 1)
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
    const copyParents = prepareWrite('insert', CHILDREN, (tx: Tx, offset: number) =>
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
