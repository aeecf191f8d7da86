import { findCompany, hasCompanies } from '#identity/companies/queries.ts'
import { findLink, findLinkOwner } from '#identity/users/links/queries.ts'
import type { LinkKind } from '#identity/users/links/rules.ts'
import { findUser, findUserByEmail, isEmailTaken } from '#identity/users/queries.ts'
import { isKnownBrowser } from '#identity/users/sessions/queries.ts'
import type { UserState } from '#identity/users/state.ts'
import type { Db } from '#platform/db/database.ts'
import { tokenHash, verifyPassword } from '#platform/identity/crypto.ts'
import type { Session } from '#platform/identity/session.ts'

/** The user with this password, if they may sign in. An unknown account takes the same time. */
export async function findByPassword(db: Db, email: string, password: string): Promise<UserState | undefined> {
  const user = await findUserByEmail(db, email)
  const isRight = await verifyPassword(password, user?.password_hash)
  return isRight && user?.state === 'enabled' ? user : undefined
}

/** Checks the signed-in user's password, which changes to sign-in require again. */
export async function isOwnPassword(db: Db, session: Session, password: string): Promise<boolean> {
  const user = await findUser(db, session.userId)
  return verifyPassword(password, user?.password_hash)
}

/** The address of the signed-in user. */
export async function findOwnEmail(db: Db, session: Session): Promise<string> {
  return (await findUser(db, session.userId))?.email ?? ''
}

/** The browser's token, if this user has signed in with it before. */
export async function knownBrowser(
  db: Db,
  token: string | undefined,
  user: { email: string } | { userId: number },
): Promise<string | undefined> {
  return token !== undefined && (await isKnownBrowser(db, tokenHash(token), user)) ? token : undefined
}

export type Invitation = {
  email: string
  firstName: string
  lastName: string
  companyName: string
  /** Somebody signs in with the address already. */
  isAddressInUse: boolean
}

/** The invitation behind a link, as its page shows it. */
export async function findInvitation(db: Db, token: string, now: Date): Promise<Invitation | undefined> {
  const link = await findLinkOwner(db, 'invitation', token, now)
  if (link === undefined) return undefined
  const [user, company] = await Promise.all([findUser(db, link.userId), findCompany(db, link.companyId)])
  if (user === undefined || company === undefined) return undefined
  const { email, first_name, last_name } = user
  const isAddressInUse = await isEmailTaken(db, email)
  return { email, firstName: first_name, lastName: last_name, companyName: company.company_name, isAddressInUse }
}

/** Does the link still work? */
export async function isOpenLink(db: Db, kind: LinkKind, token: string, now: Date): Promise<boolean> {
  return (await findLink(db, kind, token, now)) !== undefined
}

/** Is there no company yet? */
export async function isFirstRun(db: Db): Promise<boolean> {
  return !(await hasCompanies(db))
}
