import { sql } from 'kysely'
import { recordChange } from '#history/audit/commands.ts'
import { userNotFound } from '#identity/users/errors.ts'
import { findUser } from '#identity/users/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Author } from '#platform/identity/caller.ts'
import { countMailsAbout, findCompanyMail, sendMailAgain } from '#platform/mail/company-mails.ts'
import { type NewMail, queueMail } from '#platform/mail/queue.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { mailNotFailed, mailNotFound, tooManyTestMails } from './errors.ts'
import { presentWholeMail } from './present.ts'

const TESTS_MAX = 10
const HOUR_MS = 3_600_000
const TEST = 'test mail'
/** An arbitrary number that no other advisory lock uses. */
const TEST_LOCK = 7_370_642

/** Sends a mail to the user who asks for it, and to nobody else. */
export async function sendTestMail(tx: Tx, author: Author, mail: NewMail, now: Date): Promise<Written<string>> {
  const { companyId, userId } = author
  const user = await findUser(tx, userId ?? 0)
  if (user === undefined) throw userNotFound(String(userId))
  // Several at once take turns, so that none is over the limit.
  await sql`select pg_advisory_xact_lock(${TEST_LOCK}, ${user.id}::int)`.execute(tx)
  const recipient = user.email
  const since = new Date(now.getTime() - HOUR_MS)
  if ((await countMailsAbout(tx, companyId, { recipient, concerns: TEST, since })) >= TESTS_MAX)
    throw tooManyTestMails(TESTS_MAX)
  // It has no link that gives access, so it belongs to the company whatever its kind is.
  const { unsubscribeUrl: _unsubscribeUrl, carriesSecret: _carriesSecret, ...plain } = mail
  await queueMail(tx, { ...plain, companyId, to: recipient, concerns: TEST }, now)
  return { state: recipient, document: asciiJson({ recipient }) }
}

/** Sends a mail once more that was given up, or kept for want of a server. */
export async function retryMail(tx: Tx, author: Author, ref: string, now: Date): Promise<Written<number>> {
  const { companyId } = author
  const id = /^\d{1,15}$/.test(ref) ? Number(ref) : 0
  if ((await findCompanyMail(tx, companyId, id)) === undefined) throw mailNotFound(ref)
  if (!(await sendMailAgain(tx, companyId, id, now))) throw mailNotFailed(id)
  await recordChange(tx, author, 'mail sent again', `mail ${id}`, now)
  const mail = await findCompanyMail(tx, companyId, id)
  if (mail === undefined) throw mailNotFound(ref)
  return { state: id, document: asciiJson(presentWholeMail(mail)) }
}
