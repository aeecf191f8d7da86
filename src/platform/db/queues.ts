import type { Db } from './database.ts'

/**
 * What waits for one connection, or for a free one, in the order in which it came. Both numbers count from the start of the
 * process, so that looking at them costs nothing while work goes through.
 */
export type Queue = {
  /** What has been put into the queue. */
  entered(): number
  /** What has come out of it: answered, or given a connection. */
  left(): number
}

const queues = new WeakMap<Db, readonly Queue[]>()

export function nameQueues(db: Db, ofDatabase: readonly Queue[]): void {
  queues.set(db, ofDatabase)
}

/** The queues in front of a database; the next statement goes to the one that is least busy. */
export function queuesOf(db: Db): readonly Queue[] {
  const ofDatabase = queues.get(db)
  if (ofDatabase === undefined) throw new Error('a transaction has no queue')
  return ofDatabase
}
