import { listSessions, type SessionRow } from '#identity/users/sessions/queries.ts'
import type { Db } from '#platform/db/database.ts'
import type { Session } from '#platform/identity/session.ts'

/** The sessions of the signed-in user, last used first, and whether each is the one that asks. */
export async function listOwnSessions(
  db: Db,
  session: Session,
  now: Date,
): Promise<(SessionRow & { isCurrent: boolean })[]> {
  const rows = await listSessions(db, session, now)
  return rows.map((row) => ({ ...row, isCurrent: row.key === session.key }))
}
