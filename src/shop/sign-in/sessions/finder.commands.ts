import { isSessionDue, touchCustomerSession } from '#people/customers/sessions/commands.ts'
import { findCustomerSession, type Visit } from '#people/customers/sessions/queries.ts'
import { type MachineClock, nowInSeconds } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { tokenHash } from '#platform/identity/crypto.ts'

type Dependencies = {
  db: Db
  clock: MachineClock
  /** Opens its own transaction. */
  change: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
}

/** Finds the session of a cookie in a shop, and notes from time to time that it is in use. */
export function createSessionFinder({ db, clock, change }: Dependencies) {
  return async (shop: { company_id: number; id: number }, token: string): Promise<Visit | undefined> => {
    const visit = await findCustomerSession(db, shop, tokenHash(token), nowInSeconds(clock))
    if (visit !== undefined && isSessionDue(visit.session, nowInSeconds(clock)))
      await change((tx) => touchCustomerSession(tx, visit.session, nowInSeconds(clock)))
    return visit
  }
}
