import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { until } from '#test/start/program.ts'
import { createLog } from '../../log/log.ts'
import { type DatabaseHandle, openDatabase } from '../database.ts'
import { inTransaction } from '../transaction.ts'
import { announce } from './announcements.ts'
import { createNotices } from './notices.ts'

let database: TestDatabase
let handle: DatabaseHandle

before(async () => {
  database = await createDatabase()
  handle = openDatabase(database.connection, { poolMax: 5 })
})

after(async () => {
  await handle.close()
  await database.drop()
})

/** Resolves at the next call. */
function hearer() {
  let next = Promise.withResolvers<void>()
  return {
    hear: () => {
      next.resolve()
      next = Promise.withResolvers()
    },
    heard: () => next.promise,
  }
}

describe('notices', () => {
  test('are heard from other connections, on their channel alone', async () => {
    const notices = createNotices(handle.pool, createLog('silent'))
    const ours = hearer()
    let others = 0
    notices.on('test_ours', ours.hear)
    notices.on('test_others', () => {
      others += 1
    })
    const ready = ours.heard()
    notices.start()
    await ready
    const before = others
    const heard = ours.heard()
    await sql`select pg_notify('test_ours', '')`.execute(handle.db)
    await heard
    assert.equal(others, before)
    await notices.stop()
  })

  // Whatever was said while nobody listened is lost: those who listen have to look for themselves.
  test('make everybody look when the connection had broken', async () => {
    const notices = createNotices(handle.pool, createLog('silent'))
    const ours = hearer()
    notices.on('test_broken', ours.hear)
    const ready = ours.heard()
    notices.start()
    await ready
    const again = ours.heard()
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query = 'listen test_broken'`.execute(handle.db)
    await again
    await notices.stop()
  })

  // Each is a transaction of its own.
  test('are fewer the longer a process stays busy, and leave at once after a rest', async ({ mock }) => {
    const received: string[] = []
    const listener = await handle.pool.connect()
    listener.on('notification', ({ payload = '' }) => received.push(payload))
    await listener.query('listen test_busy')
    mock.timers.enable({ apis: ['setTimeout'] })
    const change = (subject: string) => inTransaction(handle.db, async (tx) => announce(tx, 'test_busy', subject))
    const changeAndWait = async (...steps: (string | number)[]) => {
      for (const step of steps)
        if (typeof step === 'number') mock.timers.tick(step)
        else await change(step)
    }
    await changeAndWait('a', 'b', 'c', 20, 'd', 20, 'e', 20, 'f', 79, 'g', 1, 'h', 159, 'i', 1, 'j', 160, 160, 'k')
    mock.timers.reset()
    await until('all are heard', () => received.join(' ').split(' ').length === 'abcdefghijk'.length)
    listener.release(true)
    // Two that leave on two connections may arrive in either order.
    assert.deepEqual(received.toSorted(), ['a', 'b c', 'd e', 'f g', 'h i', 'j', 'k'])
  })

  test('stop also when they were asked to before they had connected', async () => {
    const notices = createNotices(handle.pool, createLog('silent'))
    notices.start()
    await notices.stop()
    assert.equal(handle.pool.waitingCount, 0)
  })
})
