import { type Selectable, sql } from 'kysely'
import { deleteBatch } from '../db/batches.ts'
import type { Db, Tx } from '../db/database.ts'
import { type Columns, condition, type Found, findWithin, type Stretch } from '../db/expressions.ts'
import type { Mails } from '../db/types.gen.ts'
import { deleteFailedJobs, enqueue, idsInJobs } from '../jobs/queue.ts'
import { SENDING_KINDS, sendingJob } from './queue.ts'

const KEPT_DAYS = 30
/** An arbitrary number that no other advisory lock uses. */
const REQUEUE_LOCK = 7_370_641

/** `waiting` has a job that will try it; `kept` has none, because there was no server when it was its turn. */
export type MailState = 'sent' | 'failed' | 'waiting' | 'kept'

/** The link to leave a list is in the text as well. */
export type WholeMail = Omit<Selectable<Mails>, 'unsubscribe_url' | 'concerns'> & { state: MailState }
export type ListedMail = Omit<WholeMail, 'text' | 'html'>

/** Every read of a company's mails starts here, so none can forget the company. */
export function mailsOf(db: Db, companyId: number) {
  return db.selectFrom('mails').where('mails.company_id', '=', companyId)
}

/** Does a mail wait to be sent? For mails of one company, only its own jobs are looked at. */
export const hasJob = (companyId?: number) => condition`mails.id in ${idsInJobs(SENDING_KINDS, companyId)}`

export const mailState = (companyId?: number) => sql<MailState>`case when mails.sent_at is not null then 'sent'
  when mails.failed_at is not null then 'failed'
  when ${hasJob(companyId)} then 'waiting' else 'kept' end`

export const LISTED = [
  'mails.id',
  'mails.company_id',
  'mails.recipient',
  'mails.sender_name',
  'mails.reply_to',
  'mails.subject',
  'mails.carries_secret',
  'mails.created_at',
  'mails.sent_at',
  'mails.failed_at',
  'mails.last_error',
] as const

/** The operator's view: the mails of all companies, newest first, without their texts. */
export function listMails(db: Db, limit: number): Promise<ListedMail[]> {
  return db
    .selectFrom('mails')
    .select([...LISTED, mailState().as('state')])
    .orderBy('mails.id', 'desc')
    .limit(limit)
    .execute()
}

export function findMail(db: Db, id: number): Promise<WholeMail | undefined> {
  return db
    .selectFrom('mails')
    .select([...LISTED, 'mails.text', 'mails.html', mailState().as('state')])
    .where('mails.id', '=', id)
    .executeTakeFirst()
}

/** The latest mails of a company about something, newest first. */
export function readMailsAbout(
  db: Db,
  companyId: number,
  concerns: string,
  limit: number,
): Promise<Pick<WholeMail, 'subject' | 'created_at' | 'sent_at' | 'failed_at'>[]> {
  return mailsOf(db, companyId)
    .select(['mails.subject', 'mails.created_at', 'mails.sent_at', 'mails.failed_at'])
    .where('mails.concerns', '=', concerns)
    .orderBy('mails.id', 'desc')
    .limit(limit)
    .execute()
}

/** The latest mail to a recipient that a company has written. */
export async function findLatestMailId(db: Db, companyId: number, recipient: string): Promise<number | undefined> {
  const mail = await mailsOf(db, companyId)
    .select('id')
    .where(condition`lower(recipient) = lower(${recipient})`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return mail?.id
}

export async function countMails(db: Db): Promise<Record<MailState, number>> {
  const rows = await db
    .selectFrom('mails')
    .select((select) => [mailState().as('state'), select.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
  return { sent: 0, failed: 0, waiting: 0, kept: 0, ...Object.fromEntries(rows.map((row) => [row.state, row.count])) }
}

/** How many mails of a company could not be sent. */
export async function countFailedMails(db: Db, companyId: number): Promise<number> {
  const { count } = await mailsOf(db, companyId)
    .where('failed_at', 'is not', null)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Gives kept mails, and failed ones on request, a job again; returns how many. */
export async function requeueMails(tx: Tx, { failed }: { failed: boolean }, now: Date): Promise<number> {
  // Two calls at once take turns: otherwise both would see the same mails without a job, and each mail would be sent
  // twice.
  await sql`select pg_advisory_xact_lock(${REQUEUE_LOCK})`.execute(tx)
  if (failed) await tx.updateTable('mails').set({ failed_at: null }).where('failed_at', 'is not', null).execute()
  await deleteFailedJobs(tx, SENDING_KINDS)
  const mails = await tx
    .selectFrom('mails')
    .select(['id', 'company_id', 'carries_secret'])
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .where(condition`not (${hasJob()})`)
    .orderBy('id')
    .execute()
  await enqueue(tx, mails.map(sendingJob), now)
  return mails.length
}

/** Deletes a batch of mails that are not kept any longer, and returns how many. */
export function deleteOldMails(tx: Tx, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000)
  return deleteBatch(tx, 'mails', 'created_at', sql`created_at < ${oldest}`)
}

/** The id of the latest mail of all; 0 if there is none. */
export async function findLastMailId(db: Db): Promise<number> {
  const mail = await db.selectFrom('mails').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return mail?.id ?? 0
}

/** Whose mails are deleted. */
export type Mentioned = {
  /** The address that mails went to, or that an answer goes to. */
  email: string
  /** What mails to others name somebody with. Those that wait to be sent are somebody else's business, and are sent. */
  texts: readonly string[]
}

/** Mails whose texts are searched at once. */
const SEARCHED_MAILS = 1000

/**
 * Goes through the next mails of a company, or of the service itself if that is null, and deletes those to somebody and those that
 * mention them. Returns the id at which it stopped.
 */
export async function deleteMailsWith(
  tx: Tx,
  companyId: number | null,
  { email, texts }: Mentioned,
  lastId: number,
  after: number,
): Promise<number | undefined> {
  const isOwn = companyId === null ? sql`company_id is null` : sql`company_id = ${companyId}`
  const { rows } = await sql<Columns<'mails', 'id'>>`with searched as materialized (
      select id, lower(recipient) = lower(${email}) or lower(reply_to) = lower(${email})
        or (sent_at is not null or failed_at is not null) and exists (select from unnest(${texts}::text[]) as text
          where position(lower(text) in lower(concat_ws(' ', subject, mails.text, html))) > 0) as is_found
      from mails
      where ${isOwn} and id > ${after} and id <= ${lastId} order by id limit ${SEARCHED_MAILS}
    ), deleted as (
      delete from mails where id = any(array(select searched.id from searched where is_found))
    )
    select id from searched order by id desc limit 1`.execute(tx)
  return rows[0]?.id
}

/** Deletes the mails that a company has written about something, to whomever. */
export async function deleteMailsAbout(tx: Tx, companyId: number, concerns: readonly string[]): Promise<void> {
  await sql`delete from mails where company_id = ${companyId} and concerns = any(${concerns}::text[])`.execute(tx)
}

/** Deletes the mails of a company with one of these secrets at the end of the link to unsubscribe, to whatever address. */
export async function deleteMailsOfLinks(tx: Tx, companyId: number, secrets: readonly string[]): Promise<void> {
  await sql`delete from mails where company_id = ${companyId} and unsubscribe_url is not null
    and substring(unsubscribe_url from '[^/]*$') = any(${secrets}::text[])`.execute(tx)
}

/** Mails that a company has written in a stretch of time. */
export function findWritten(db: Db, companyId: number, stretch: Stretch, limit: number): Promise<Found> {
  return findWithin(db, sql`select id, created_at as at from mails where company_id = ${companyId}`, stretch, limit)
}
