import { findCompany } from '#companies/queries.ts'
import type { Db } from '#platform/db/database.ts'
import type { Session } from '#platform/session.ts'
import { findUser } from '#users/queries.ts'
import { nameOf } from '#users/rules.ts'

export type Owner = { name: string; email: string; company: string }

/** Who is signed in. */
export async function findOwner(db: Db, session: Session): Promise<Owner> {
  const [user, company] = await Promise.all([findUser(db, session.userId), findCompany(db, session.companyId)])
  if (user === undefined || company === undefined) throw new Error(`session of nobody: user ${session.userId}`)
  return { name: nameOf(user), email: user.email, company: company.company_name }
}
