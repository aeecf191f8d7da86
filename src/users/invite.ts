import { record } from '#audit/commands.ts'
import { findCompany } from '#companies/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { queueMail } from '#platform/mail/queue.ts'
import type { Origin } from '#platform/origin.ts'
import { createLink } from './links/commands.ts'
import { linkAddress, linkExpiry } from './links/rules.ts'
import { invitationMail } from './mails.ts'
import type { UserState } from './state.ts'

/** The context of a change: the origin of the request, and the base URL of the service. */
export type ChangeSource = { origin: Origin; baseUrl: string }

/** The inviter: a user, through an app, or the operator, who has neither name nor id. */
export type Inviter = { userId?: number; appId?: number; name?: string }

/** Mails a user an invitation link and returns it. Earlier links stop working. */
export async function sendInvitation(
  tx: Tx,
  { company_id: companyId, id: userId, email }: UserState,
  inviter: Inviter,
  { origin, baseUrl }: ChangeSource,
  now: Date,
): Promise<string> {
  const token = await createLink(tx, { kind: 'invitation', companyId, userId }, now)
  const link = linkAddress(baseUrl, 'invitation', token)
  const companyName = (await findCompany(tx, companyId))?.company_name ?? ''
  const expires = linkExpiry('invitation', now)
  const mail = invitationMail({ companyName, inviterName: inviter.name, link, expires })
  await queueMail(tx, { companyId, to: email, ...mail, carriesSecret: true }, now)
  await record(tx, { companyId, ...inviter, action: 'user invited', subject: email }, origin, now)
  return link
}
