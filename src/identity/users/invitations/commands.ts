import { sql } from 'kysely'
import { record } from '#history/audit/commands.ts'
import { findCompany } from '#identity/companies/queries.ts'
import { deleteBatch } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'
import { tokenHash } from '#platform/identity/crypto.ts'
import type { Origin } from '#platform/identity/origin.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { tooManyInvitations } from '../errors.ts'
import { createLink } from '../links/commands.ts'
import { linkAddress, linkExpiry } from '../links/rules.ts'
import { invitationMail } from '../mails.ts'
import { isEmailTaken } from '../queries.ts'
import type { UserState } from '../state.ts'
import { listInvitationTimes, listTimesTo } from './queries.ts'
import { PER_ADDRESS, PER_COMPANY, PER_RECIPIENT, REMEMBERED_SECONDS, secondsToWait } from './rules.ts'

/** The context of a change: the origin of the request, and the base URL of the service. */
export type ChangeSource = { origin: Origin; baseUrl: string }

/** The inviter: a user, through an app, or the operator, who has neither name nor id. */
export type Inviter = { userId?: number | null; appId?: number | null; name?: string }

/** Mails a user an invitation link and returns it. Earlier links stop working. The operator has no limit. */
export async function sendInvitation(
  tx: Tx,
  user: UserState,
  inviter: Inviter,
  { origin, baseUrl }: ChangeSource,
  now: Date,
): Promise<string> {
  const { company_id: companyId, id: userId, email } = user
  const isSent = inviter.userId === undefined || (await takeInvitation(tx, companyId, email, now))
  const token = await createLink(tx, { kind: 'invitation', companyId, userId }, now)
  const link = linkAddress(baseUrl, 'invitation', token)
  const companyName = (await findCompany(tx, companyId))?.company_name ?? ''
  const expires = linkExpiry('invitation', now)
  // Only the person learns that the address has an account already; the answer to the company is the same.
  const hasAccount = await isEmailTaken(tx, email)
  const mail = invitationMail(user, { companyName, inviterName: inviter.name, link, expires, hasAccount })
  if (isSent) await queueMail(tx, { companyId, to: email, ...mail, carriesSecret: true }, now)
  await record(tx, { companyId, ...inviter, action: 'user invited', subject: email }, origin, now)
  return link
}

/**
 * Counts an invitation and returns whether its mail is sent. The company is told of its own limits. It is not told that
 * other companies have invited the person so often that no more mails are sent, because that is their business.
 */
async function takeInvitation(tx: Tx, companyId: number, email: string, now: Date): Promise<boolean> {
  const recipient = tokenHash(email.toLowerCase())
  // Without these locks, invitations at once would not count each other. The company always comes first.
  await lock(tx, `invitations of ${companyId}`)
  await lock(tx, `invitations to ${recipient.toString('hex')}`)
  const wait = Math.max(
    secondsToWait(await listInvitationTimes(tx, companyId), PER_COMPANY, now),
    secondsToWait(await listInvitationTimes(tx, companyId, recipient), PER_ADDRESS, now),
  )
  if (wait > 0) throw tooManyInvitations(wait)
  const isSent = secondsToWait(await listTimesTo(tx, recipient), PER_RECIPIENT, now) === 0
  await tx
    .insertInto('invitation_mails')
    .values({ company_id: companyId, recipient, is_sent: isSent, created_at: now })
    .execute()
  return isSent
}

async function lock(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

/** Deletes the records that no limit counts any more. */
export function deleteOldInvitations(tx: Tx, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - REMEMBERED_SECONDS * 1000)
  return deleteBatch(tx, 'invitation_mails', 'created_at', sql`created_at < ${oldest}`)
}
