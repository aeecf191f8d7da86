import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { condition } from '../db/expressions.ts'
import { type Filters, narrow, type Optional } from '../db/filters.ts'
import { prepareList, type RowList } from '../db/pages.ts'
import { enqueue } from '../jobs/queue.ts'
import { sendingJob } from './queue.ts'
import { hasJob, LISTED, type ListedMail, type MailState, mailState, mailsOf, type WholeMail } from './store.ts'

/** The mails of one company. Those with a link for signing in belong to none, and are not among them. */

type Rows = ReturnType<typeof mailsOf>

/** Each state has a statement of its own, because failed mails have an index. */
type GivenFilters = Optional<{
  is_sent: boolean
  is_failed: boolean
  is_waiting: boolean
  is_kept: boolean
  since_id: number
}>

const isOpen = (rows: Rows) => rows.where('mails.sent_at', 'is', null).where('mails.failed_at', 'is', null)

const filtersOf = (companyId: number): Filters<Rows, GivenFilters> => ({
  is_sent: (rows) => rows.where('mails.sent_at', 'is not', null),
  is_failed: (rows) => rows.where('mails.failed_at', 'is not', null),
  is_waiting: (rows) => isOpen(rows).where(hasJob(companyId)),
  is_kept: (rows) => isOpen(rows).where(condition`not (${hasJob(companyId)})`),
  since_id: (rows, id) => rows.where('mails.id', '>', id),
})

const listed = prepareList((db: Db, { company, ...filters }: GivenFilters & { company: number }) =>
  narrow(mailsOf(db, company), filtersOf(company), filters).select([...LISTED, mailState(company).as('state')]),
)

/** The mails of a company, without their texts. */
export function listCompanyMails(
  db: Db,
  companyId: number,
  { state }: { state?: MailState | undefined },
): RowList<ListedMail> {
  return listed(db, { company: companyId, ...(state === undefined ? {} : { [`is_${state}` as const]: true }) })
}

export function findCompanyMail(db: Db, companyId: number, id: number): Promise<WholeMail | undefined> {
  return mailsOf(db, companyId)
    .select([...LISTED, 'mails.text', 'mails.html', mailState(companyId).as('state')])
    .where('mails.id', '=', id)
    .executeTakeFirst()
}

/** An address that mails could not be sent to, with the reason of the latest. */
export type RefusedRecipient = { recipient: string; count: number; last_error: string; last_failed_at: Date }

const latestError = sql`(array_agg(mails.last_error order by mails.id desc))[1]`

/** The addresses that refused mails in the time for which mails are kept, the latest first. */
export async function readRefusedRecipients(db: Db, companyId: number, limit: number): Promise<RefusedRecipient[]> {
  return mailsOf(db, companyId)
    .select(({ fn }) => [
      fn<string>('lower', ['mails.recipient']).as('recipient'),
      fn.countAll<number>().as('count'),
      fn<string>('coalesce', [latestError, sql`''`]).as('last_error'),
      fn.max<Date>('mails.failed_at').as('last_failed_at'),
    ])
    .where('mails.failed_at', 'is not', null)
    .groupBy(sql`1`)
    .orderBy('last_failed_at', 'desc')
    .limit(limit)
    .execute()
}

/** Sends a mail that was given up or kept once more. False: it was sent, or is on its way. */
export async function sendMailAgain(tx: Tx, companyId: number, id: number, now: Date): Promise<boolean> {
  const mail = await mailsOf(tx, companyId)
    .select(['mails.id', 'mails.company_id', 'mails.carries_secret', mailState(companyId).as('state')])
    .where('mails.id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (mail === undefined || mail.state === 'sent' || mail.state === 'waiting') return false
  await tx
    .updateTable('mails')
    .set({ failed_at: null, last_error: null })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute()
  await enqueue(tx, sendingJob(mail), now)
  return true
}

/** How many mails about something went to a recipient since a time. */
export async function countMailsAbout(
  db: Db,
  companyId: number,
  { recipient, concerns, since }: { recipient: string; concerns: string; since: Date },
): Promise<number> {
  const { count } = await mailsOf(db, companyId)
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('mails.concerns', '=', concerns)
    .where(condition`lower(mails.recipient) = lower(${recipient})`)
    .where('mails.created_at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}
