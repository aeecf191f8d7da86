import { isDue, touchSession } from '#identity/users/sessions/commands.ts'
import { findSession } from '#identity/users/sessions/queries.ts'
import { type Clock, nowInSeconds } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Session } from '#platform/identity/session.ts'

/** Finds the session of a cookie in the database, and notes from time to time that it is in use. */
export function sessionFinder({
  db,
  reads,
  clock,
}: {
  db: Db
  reads: Db
  clock: Clock
}): (tokenHash: Buffer) => Promise<Session | undefined> {
  return async (tokenHash) => {
    const session = await findSession(reads, tokenHash, clock.now())
    if (session !== undefined && isDue(session, clock.now()))
      await inTransaction(db, (tx) => touchSession(tx, session, nowInSeconds(clock)))
    return session
  }
}
