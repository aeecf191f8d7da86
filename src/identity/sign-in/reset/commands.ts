import { record } from '#history/audit/commands.ts'
import { accountLimit, forgiveAttempt } from '#identity/attempts/guard.ts'
import { findCompany } from '#identity/companies/queries.ts'
import { revokeGrantsOfUser } from '#identity/grants/commands.ts'
import { setPassword } from '#identity/users/commands.ts'
import { createLink, useLink } from '#identity/users/links/commands.ts'
import { findLinkOwner } from '#identity/users/links/queries.ts'
import { linkAddress, linkExpiry } from '#identity/users/links/rules.ts'
import { resetMail } from '#identity/users/mails.ts'
import { findUserByEmail, lockUserById } from '#identity/users/queries.ts'
import { endSessions, forgetBrowsers } from '#identity/users/sessions/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Origin } from '#platform/identity/origin.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { sendChangedMail } from '../commands.ts'
import { type ResetRequest, SEND_RESET } from './jobs.ts'

/** A job looks up the account, so that the answer takes the same time for an unknown address. */
export function askForReset(tx: Tx, request: ResetRequest, now: Date): Promise<void> {
  return enqueue(tx, { kind: SEND_RESET, companyId: null, data: request }, now)
}

/** Sends the link if there is such a user. */
export async function sendReset(tx: Tx, { email, baseUrl, origin }: ResetRequest, now: Date): Promise<void> {
  const user = await findUserByEmail(tx, email)
  if (user === undefined || user.state !== 'enabled') return
  const ids = { companyId: user.company_id, userId: user.id }
  const token = await createLink(tx, { kind: 'reset', ...ids }, now)
  const companyName = (await findCompany(tx, user.company_id))?.company_name ?? ''
  const link = linkAddress(baseUrl, 'reset', token)
  const mail = resetMail(user, { companyName, link, expires: linkExpiry('reset', now) })
  await queueMail(tx, { companyId: user.company_id, to: user.email, ...mail, carriesSecret: true }, now)
  await record(tx, { ...ids, action: 'password reset asked for', subject: user.email }, origin, now)
}

export type NewPassword = {
  token: string
  passwordHash: string
  /** Ends the access of the apps that the user allowed. */
  endsApps: boolean
}

/** Sets the chosen password, ends all sessions of the user, and clears the waits of the account. */
export async function resetPassword(
  tx: Tx,
  { token, passwordHash, endsApps }: NewPassword,
  baseUrl: string,
  origin: Origin,
  now: Date,
): Promise<'done' | 'link is void'> {
  const link = await findLinkOwner(tx, 'reset', token, now)
  if (link === undefined) return 'link is void'
  // Lock the user before the link, as every change of a password does; the other order could deadlock.
  const { user } = await lockUserById(tx, link.companyId, link.userId)
  const used = await useLink(tx, 'reset', token, now)
  if (used === undefined || user.state !== 'enabled') return 'link is void'
  await setPassword(tx, user, passwordHash, now)
  await endSessions(tx, user)
  await forgetBrowsers(tx, user)
  if (endsApps) await revokeGrantsOfUser(tx, user.id, { userId: user.id, origin }, now)
  await forgiveAttempt(tx, [accountLimit(user.email)])
  const ids = { companyId: user.company_id, userId: user.id }
  await record(tx, { ...ids, action: 'password reset', subject: user.email }, origin, now)
  await sendChangedMail(tx, user, baseUrl, now)
  return 'done'
}
