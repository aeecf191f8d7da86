import { isSessionDue, touchCustomerSession } from '#people/customers/sessions/commands.ts'
import { findCustomerSession, type Visit } from '#people/customers/sessions/queries.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { tokenHash } from '#platform/identity/crypto.ts'

type Dependencies = {
  db: Db
  now: () => Date
  /** Opens its own transaction. */
  change: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
}

/** Finds the session of a cookie in a shop, and notes from time to time that it is in use. */
export function createSessionFinder({ db, now, change }: Dependencies) {
  return async (shop: { company_id: number; id: number }, token: string): Promise<Visit | undefined> => {
    const visit = await findCustomerSession(db, shop, tokenHash(token), now())
    if (visit !== undefined && isSessionDue(visit.session, now()))
      await change((tx) => touchCustomerSession(tx, visit.session, now()))
    return visit
  }
}
