import { errorCode } from '../errors/error-code.ts'
import { createSemaphore } from '../processes/semaphore.ts'
import { type Db, isDatabaseAway, poolOf } from './database.ts'
import type { ChoosePlace } from './standby.ts'
import { inTransaction } from './transaction.ts'

/** A read that still waits for its turn when the signal is aborted never begins. One that a standby gives up begins again. */
export type HeavyReads = <Result>(read: (db: Db) => Promise<Result>, signal?: AbortSignal) => Promise<Result>

/** The part of the connections that such reads may take. */
const PART = 1 / 4
const WAITING_MAX = 100

/** A standby ends a read that holds up what it has to replay. */
const REPLAY_FIRST = '40001'

/**
 * For reads that may take seconds. On the few connections that reads share, every statement behind one of them would wait for
 * it. So each has a connection of the pool to itself, and a few of them run at a time. `choose` may lead them to a standby.
 */
export function createHeavyReads(db: Db, choose?: ChoosePlace): HeavyReads {
  const fewAtATime = createSemaphore(Math.max(1, Math.floor(poolOf(db).options.max * PART)), WAITING_MAX)
  async function readFrom<Result>(read: (db: Db) => Promise<Result>): Promise<Result> {
    const place = (await choose?.())?.db ?? db
    try {
      return await inTransaction(place, read)
    } catch (error) {
      if (place === db || !(isDatabaseAway(error) || errorCode(error) === REPLAY_FIRST)) throw error
      return inTransaction(db, read)
    }
  }
  return (read, signal) => fewAtATime(() => readFrom(read), signal)
}
