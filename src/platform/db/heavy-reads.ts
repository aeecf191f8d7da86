import { createSemaphore } from '../processes/semaphore.ts'
import { type Db, poolOf } from './database.ts'
import { inTransaction } from './transaction.ts'

/** A read that still waits for its turn when the signal is aborted never begins. */
export type HeavyReads = <Result>(read: (db: Db) => Promise<Result>, signal?: AbortSignal) => Promise<Result>

/** The part of the connections that such reads may take. */
const PART = 1 / 4
const WAITING_MAX = 100

/**
 * For reads that may take seconds. On the few connections that reads share, every statement behind one of them would wait for
 * it. So each has a connection of the pool to itself, and a few of them run at a time.
 */
export function createHeavyReads(db: Db): HeavyReads {
  const fewAtATime = createSemaphore(Math.max(1, Math.floor(poolOf(db).options.max * PART)), WAITING_MAX)
  return (read, signal) => fewAtATime(() => inTransaction(db, read), signal)
}
