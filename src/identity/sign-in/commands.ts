import { record } from '#history/audit/commands.ts'
import { forgiveAttempt } from '#identity/attempts/guard.ts'
import type { Counted } from '#identity/attempts/rules.ts'
import { findCompany } from '#identity/companies/queries.ts'
import { setPassword } from '#identity/users/commands.ts'
import { passwordChangedMail, type Recipient } from '#identity/users/mails.ts'
import { findUserByEmail, lockUserById } from '#identity/users/queries.ts'
import {
  endSession,
  endSessions,
  forgetBrowsers,
  rememberBrowser,
  renewBrowser,
  startSession,
} from '#identity/users/sessions/commands.ts'
import { lockSession } from '#identity/users/sessions/queries.ts'
import type { UserState } from '#identity/users/state.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Origin } from '#platform/identity/origin.ts'
import type { Session } from '#platform/identity/session.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { sessionEnded } from './errors.ts'
import { passSecondFactor } from './second-factor/commands.ts'
import { hasSecondFactor } from './second-factor/queries.ts'

export type SignInContext = { userAgent: string; limits: Counted[]; knownBrowser: string | undefined }

/** The next step after a right password: the signed-in area, or the page for the second factor. */
export type SignInResult =
  | ({ kind: 'signed in' } & Tokens)
  | { kind: 'second factor'; token: string }
  | { kind: 'refused' }

/** The cookies of a browser: the token of its session, and the token that identifies the browser. */
export type Tokens = { token: string; browser: string }

/** Signs in a user whose password was right. If the password was changed during the check, it no longer works. */
export async function enter(
  tx: Tx,
  user: UserState,
  context: SignInContext,
  origin: Origin,
  now: Date,
): Promise<SignInResult> {
  const { user: current } = await lockUserById(tx, user.company_id, user.id)
  if (current.password_hash !== user.password_hash || current.state !== 'enabled') {
    await refuse(tx, user.email, origin, now)
    return { kind: 'refused' }
  }
  await forgiveAttempt(tx, context.limits)
  if (await hasSecondFactor(tx, { companyId: user.company_id, userId: user.id })) {
    const token = await startSession(tx, user, { secondFactorDue: true, userAgent: context.userAgent }, origin, now)
    return { kind: 'second factor', token }
  }
  return { kind: 'signed in', ...(await admit(tx, user, context, 'with password', origin, now)) }
}

/** Opens the full session. */
export async function admit(
  tx: Tx,
  user: { company_id: number; id: number },
  { userAgent, knownBrowser }: Pick<SignInContext, 'userAgent' | 'knownBrowser'>,
  how: string,
  origin: Origin,
  now: Date,
): Promise<Tokens> {
  await record(tx, { companyId: user.company_id, userId: user.id, action: 'signed in', subject: how }, origin, now)
  const token = await startSession(tx, user, { secondFactorDue: false, userAgent }, origin, now)
  if (knownBrowser === undefined) return { token, browser: await rememberBrowser(tx, user, now) }
  await renewBrowser(tx, user, knownBrowser, now)
  return { token, browser: knownBrowser }
}

/** Records a refused sign-in. The subject never contains a password that was typed into the wrong field. */
export async function refuse(tx: Tx, email: string, origin: Origin, now: Date): Promise<void> {
  const user = await findUserByEmail(tx, email)
  const subject = /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(email) ? email.slice(0, 100) : 'no email address'
  const entry = {
    companyId: user?.company_id ?? null,
    userId: user?.id ?? null,
    action: 'sign-in refused',
    subject,
  } as const
  await record(tx, entry, origin, now)
}

export type CodeResult =
  | ({ kind: 'signed in' } & Tokens)
  /** Recorded; the user stays at the second step. */
  | { kind: 'wrong code'; isUnreadable: boolean }
  | { kind: 'signed out' }

/** Checks the second factor and completes the sign-in. */
export async function enterWithCode(
  tx: Tx,
  half: Session,
  code: string,
  context: SignInContext,
  vault: Vault,
  origin: Origin,
  now: Date,
): Promise<CodeResult> {
  // A first step opens one session: of two requests at once, the second is refused.
  if (!(await lockSession(tx, half))) return { kind: 'signed out' }
  const passed = await passSecondFactor(tx, half, code, vault, now)
  if (passed === 'wrong' || passed === 'unreadable') {
    await record(tx, { ...half, action: 'sign-in refused', subject: 'wrong second factor' }, origin, now)
    return { kind: 'wrong code', isUnreadable: passed === 'unreadable' }
  }
  await forgiveAttempt(tx, context.limits)
  await endSession(tx, half)
  const user = { company_id: half.companyId, id: half.userId }
  return { kind: 'signed in', ...(await admit(tx, user, context, `with password and ${passed}`, origin, now)) }
}

/** Makes a change if the user is still signed in: a reset of the password may have ended the session meanwhile. */
export async function requireSession<Result>(tx: Tx, session: Session, work: () => Promise<Result>): Promise<Result> {
  if (!(await lockSession(tx, session))) throw sessionEnded()
  return work()
}

export async function signOut(tx: Tx, session: Session, origin: Origin, now: Date): Promise<void> {
  await endSession(tx, session)
  await record(tx, { ...session, action: 'signed out', subject: '' }, origin, now)
}

/** Ends every session of the user, including this one. */
export async function signOutEverywhere(tx: Tx, session: Session, origin: Origin, now: Date): Promise<void> {
  const { user } = await lockUserById(tx, session.companyId, session.userId)
  await endSessions(tx, user)
  await forgetBrowsers(tx, user)
  await record(tx, { ...session, action: 'signed out everywhere', subject: '' }, origin, now)
}

/** Ends every other session of the user. */
export async function signOutElsewhere(tx: Tx, session: Session, origin: Origin, now: Date): Promise<void> {
  const { user } = await lockUserById(tx, session.companyId, session.userId)
  await endSessions(tx, user, session)
  await forgetBrowsers(tx, user)
  await record(tx, { ...session, action: 'signed out elsewhere', subject: '' }, origin, now)
}

/** Changes the user's password and ends all other sessions. */
export async function changePassword(
  tx: Tx,
  session: Session,
  passwordHash: string,
  baseUrl: string,
  origin: Origin,
  now: Date,
): Promise<void> {
  const { user } = await lockUserById(tx, session.companyId, session.userId)
  await setPassword(tx, user, passwordHash, now)
  await endSessions(tx, user, session)
  await record(tx, { ...session, action: 'password changed', subject: '' }, origin, now)
  await sendChangedMail(tx, user, baseUrl, now)
}

/** Informs the owner, who may not be the person who made the change. */
export async function sendChangedMail(
  tx: Tx,
  user: Recipient & { company_id: number; email: string },
  baseUrl: string,
  now: Date,
): Promise<void> {
  const { company_id, email } = user
  const companyName = (await findCompany(tx, company_id))?.company_name ?? ''
  const mail = passwordChangedMail(user, { companyName, email, changed: now, link: `${baseUrl}/reset` })
  await queueMail(tx, { companyId: company_id, to: email, ...mail }, now)
}
