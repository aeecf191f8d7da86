import type { Db } from '#platform/db/database.ts'
import { PER_ADDRESS, PER_COMPANY, PER_RECIPIENT } from './rules.ts'

/** The latest invitations of a company, or those of them that went to one address. */
export async function listInvitationTimes(db: Db, companyId: number, recipient?: Buffer): Promise<Date[]> {
  const rows = await db
    .selectFrom('invitation_mails')
    .select('created_at')
    .where('company_id', '=', companyId)
    .$call((mails) => (recipient === undefined ? mails : mails.where('recipient', '=', recipient)))
    .orderBy('created_at', 'desc')
    .limit(recipient === undefined ? PER_COMPANY.max : PER_ADDRESS.max)
    .execute()
  return rows.map(({ created_at }) => created_at)
}

/** The latest invitations that any company sent to an address. */
export async function listTimesTo(db: Db, recipient: Buffer): Promise<Date[]> {
  const rows = await db
    .selectFrom('invitation_mails')
    .select('created_at')
    .where('recipient', '=', recipient)
    .where('is_sent', '=', true)
    .orderBy('created_at', 'desc')
    .limit(PER_RECIPIENT.max)
    .execute()
  return rows.map(({ created_at }) => created_at)
}
