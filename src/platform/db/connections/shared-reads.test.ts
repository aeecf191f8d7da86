import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { type DatabaseHandle, openDatabase } from '../database.ts'

let database: TestDatabase
let watcher: DatabaseHandle

before(async () => {
  database = await createDatabase()
  watcher = openDatabase(database.connection, { poolMax: 1 })
})
after(async () => {
  await watcher.close()
  await database.drop()
})

type Session = { pid: number }

async function sessions(): Promise<Session[]> {
  const { rows } = await sql<Session>`select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(watcher.db)
  return rows
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await nextTurn()
}

describe('reads', () => {
  test('keep to their few connections when these break under load, and leave none behind', async () => {
    const { reads, close } = openDatabase(database.connection, { poolMax: 1 })
    let running = true
    const reader = async () => {
      // A read that was under way on a broken connection fails; the next one finds another.
      while (running) await sql`select ${1}::int`.execute(reads).catch(nextTurn)
    }
    const readers = Array.from({ length: 8 }, reader)
    for (let round = 0; round < 15; round += 1) {
      await until(async () => (await sessions()).length > 0)
      await sql`select pg_terminate_backend(${(await sessions())[0]?.pid ?? 0})`.execute(watcher.db)
    }
    assert.ok((await sessions()).length <= 4)
    running = false
    await Promise.all(readers)
    await close()
    await until(async () => (await sessions()).length === 0)
  })

  test('know no transactions', async () => {
    const { reads, close } = openDatabase(database.connection, { poolMax: 1 })
    await assert.rejects(
      reads.transaction().execute(async () => {}),
      /opened by inTransaction/,
    )
    await close()
  })
})
