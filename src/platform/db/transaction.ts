import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { awaitedLater } from '../errors/awaited-later.ts'
import { errorCode } from '../errors/error-code.ts'
import { isStale, STALE_TRIES_MAX } from './connections/described-query.ts'
import { connectionTo, kyselyOver, send } from './connections/pipeline.ts'
import { type Db, isDatabaseAway, poolOf, type Tx } from './database.ts'
import { sendAnnouncements } from './notices/announcements.ts'
import type { DB } from './types.gen.ts'
import { takeWaiting } from './writes.ts'

/** The first attempt and three retries. */
const TRIES_MAX = 4
const PAUSE_MAX_MS = 20
/** The code of every statement after one that has failed. */
const FAILED_BEFORE = '25P02'
/** What the SQL standard calls a transaction of which nobody knows whether it was committed. */
export const OUTCOME_UNKNOWN = '08007'

/**
 * Opens the one transaction of a change; a deadlock or a serialisation failure is tried again, and so is a statement that is
 * stale because a newer version has migrated its table.
 */
export async function inTransaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  let staleTimes = 0
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(poolOf(db), work)
    } catch (error) {
      if (isStale(error) && staleTimes < STALE_TRIES_MAX) {
        staleTimes += 1
        attempt -= 1
        continue
      }
      const code = errorCode(error)
      if (attempt === TRIES_MAX || (code !== '40001' && code !== '40P01')) throw error
      // Transactions that blocked each other would do so again if they restarted at the same time.
      await sleep(Math.random() * PAUSE_MAX_MS)
    }
  }
}

/**
 * Statements of the same tick are sent together: Kysely's own transactions send each when the one before is
 * answered, which for a change of a dozen statements is most of the time.
 */
async function once<Result>(pool: pg.Pool, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  let isOver = false
  let isCommitSent = false
  let broken: Error | undefined
  let cause: unknown
  const remember = (error: unknown) => {
    cause ??= error
  }
  const late: Promise<unknown>[] = []
  const sendWaiting = () => {
    for (const { sql, parameters } of takeWaiting(tx)) {
      const sent = send(client, sql, [...parameters])
      sent.catch(remember)
      late.push(sent)
    }
  }
  const connection = connectionTo(() => {
    // A statement beside one that failed may come late, and must not become part of the next transaction.
    if (isOver) throw new Error('the transaction is over')
    sendWaiting()
    return client
  }, remember)
  const tx = kyselyOver<DB>(connection) as Tx
  try {
    // It goes out with the first statement; if it fails, so do they.
    const begun = awaitedLater(client.query('begin'))
    const result = await work(tx)
    isOver = true
    // The commit of a transaction that has failed rolls it back, so it need not wait for the results.
    sendWaiting()
    isCommitSent = true
    const committed = awaitedLater(commit(client))
    await begun
    await Promise.all(late)
    await committed
    sendAnnouncements(tx, pool)
    return result
  } catch (error) {
    isOver = true
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    await Promise.allSettled(late)
    // What cannot be rolled back on a connection that broke may have been committed before, whatever the error says: that of a
    // server that ends for want of room looks like that of a statement without room.
    if (isCommitSent && (isDatabaseAway(error) || broken !== undefined))
      throw Object.assign(new Error('the connection broke before the commit was answered', { cause: error }), {
        code: OUTCOME_UNKNOWN,
      })
    // Statements after one that has failed fail too. The first may be one that nobody waited for; it is the error to report.
    throw errorCode(error) === FAILED_BEFORE ? (cause ?? error) : error
  } finally {
    client.release(broken)
  }
}

/** PostgreSQL answers the commit of a failed transaction with a rollback and no error. */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('commit')
  if (command === 'COMMIT') return
  throw Object.assign(new Error('the transaction had failed before it was to be committed'), { code: FAILED_BEFORE })
}
