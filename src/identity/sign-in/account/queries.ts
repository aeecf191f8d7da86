import { findCompany } from '#identity/companies/queries.ts'
import { findUser } from '#identity/users/queries.ts'
import { nameOf } from '#identity/users/rules.ts'
import { listSessions, type SessionRow } from '#identity/users/sessions/queries.ts'
import type { Db } from '#platform/db/database.ts'
import type { Session } from '#platform/identity/session.ts'

export type Owner = { name: string; email: string; company: string }

/** The signed-in user. */
export async function findOwner(db: Db, session: Session): Promise<Owner> {
  const [user, company] = await Promise.all([findUser(db, session.userId), findCompany(db, session.companyId)])
  if (user === undefined || company === undefined) throw new Error(`session of nobody: user ${session.userId}`)
  return { name: nameOf(user), email: user.email, company: company.company_name }
}

/** The signed-in user, and the user's sessions. */
export async function readAccount(
  db: Db,
  session: Session,
  now: Date,
): Promise<{ owner: Owner; sessions: SessionRow[] }> {
  const [owner, sessions] = await Promise.all([findOwner(db, session), listSessions(db, session, now)])
  return { owner, sessions }
}
