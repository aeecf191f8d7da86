import { record } from '#audit/commands.ts'
import { findCompany } from '#companies/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { queueMail } from '#platform/mail/queue.ts'
import type { Origin } from '#platform/origin.ts'
import { setPassword } from '#users/commands.ts'
import { createLink, useLink } from '#users/links/commands.ts'
import { findLink } from '#users/links/queries.ts'
import { linkAddress, linkExpiry } from '#users/links/rules.ts'
import { resetMail } from '#users/mails.ts'
import { findUserByEmail, lockUserById } from '#users/queries.ts'
import { endSessions, forgetBrowsers } from '#users/sessions/commands.ts'
import { tellOfChange } from '../commands.ts'
import { accountLimit, forgiveAttempt } from '../limits/commands.ts'
import { type ResetRequest, SEND_RESET } from './jobs.ts'

/** Looking the account up is left to a job, so that the answer takes as long for an address that nobody has. */
export function askForReset(tx: Tx, request: ResetRequest, now: Date): Promise<void> {
  return enqueue(tx, { kind: SEND_RESET, companyId: null, data: request }, now)
}

/** Sends the link if there is such a user; nobody else hears of it. */
export async function sendReset(tx: Tx, { email, baseUrl, origin }: ResetRequest, now: Date): Promise<void> {
  const user = await findUserByEmail(tx, email)
  if (user === undefined || user.state !== 'enabled') return
  const ids = { companyId: user.company_id, userId: user.id }
  const token = await createLink(tx, { kind: 'reset', ...ids }, now)
  const companyName = (await findCompany(tx, user.company_id))?.company_name ?? ''
  const mail = resetMail({ companyName, link: linkAddress(baseUrl, 'reset', token), expires: linkExpiry('reset', now) })
  await queueMail(tx, { companyId: user.company_id, to: user.email, ...mail, carriesSecret: true }, now)
  await record(tx, { ...ids, action: 'password reset asked for', subject: user.email }, origin, now)
}

/** Sets the password that the holder of the link chose. Everybody who was signed in is out; whoever waited need not. */
export async function resetPassword(
  tx: Tx,
  token: string,
  passwordHash: string,
  baseUrl: string,
  origin: Origin,
  now: Date,
): Promise<'done' | 'link is void'> {
  const link = await findLink(tx, 'reset', token, now)
  if (link === undefined) return 'link is void'
  // The user before the link, as every other change of a password does: the other way round, two could wait for each other.
  const { user } = await lockUserById(tx, link.companyId, link.userId)
  const used = await useLink(tx, 'reset', token, now)
  if (used === undefined || user.state !== 'enabled') return 'link is void'
  await setPassword(tx, user, passwordHash, now)
  await endSessions(tx, user)
  await forgetBrowsers(tx, user)
  await forgiveAttempt(tx, [accountLimit(user.email)])
  const ids = { companyId: user.company_id, userId: user.id }
  await record(tx, { ...ids, action: 'password reset', subject: user.email }, origin, now)
  await tellOfChange(tx, user, baseUrl, now)
  return 'done'
}
