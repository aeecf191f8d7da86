import { type Selectable, sql } from 'kysely'
import { type MachineClock, nowInSeconds } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { condition } from '../db/expressions.ts'
import type { Mails } from '../db/types.gen.ts'
import { createHandler, type JobHandler } from '../jobs/handlers.ts'
import type { Job } from '../jobs/kinds.ts'
import { TRIES_MAX } from '../jobs/retry.ts'
import type { Log } from '../log/log.ts'
import { SENDING_KINDS } from './queue.ts'
import type { MailSettings } from './settings.ts'
import { type Message, type SmtpOptions, submit } from './smtp.ts'

export type MailSenderOptions = {
  db: Db
  clock: MachineClock
  log: Log
  /** Absent: there is no mail server, and mails are kept. */
  mail: MailSettings | undefined
  smtp?: SmtpOptions
}

type Mail = Selectable<Mails>

/**
 * Does the jobs that send mails. The server has the mail before the row says so: should the process end in between, the
 * mail goes out again, under the same Message-ID.
 */
export function createMailSenders({ db, clock, log, mail: settings, smtp }: MailSenderOptions): JobHandler[] {
  const send = async (job: Job<{ id: number }>) => {
    // Mails are kept where there is no server.
    if (settings === undefined) return
    const mail = await findUnsent(db, job.data.id)
    if (mail === undefined) return
    const outcome = await submit(settings, messageOf(mail, settings, clock.now()), smtp)
    if (outcome.kind === 'accepted') return markSent(db, mail.id, nowInSeconds(clock))
    const last = outcome.kind === 'refused' || job.attempts >= TRIES_MAX
    await markFailed(db, mail.id, outcome.reason, last ? nowInSeconds(clock) : null)
    if (!last) throw new Error(outcome.reason)
    log.warn({ mail: mail.id, reason: outcome.reason }, 'a mail was given up')
  }
  return SENDING_KINDS.map((kind) => createHandler(kind, send))
}

/** The creation time is part of the id, so that a new database does not repeat the ids of an old one. */
function messageOf(mail: Mail, { from }: MailSettings, now: Date): Message {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  return {
    messageId: `<licet.${mail.id}.${mail.created_at.getTime() / 1000}@${domain}>`,
    date: now,
    to: mail.recipient,
    senderName: mail.sender_name,
    replyTo: mail.reply_to,
    subject: mail.subject,
    text: mail.text ?? '',
    html: mail.html ?? '',
    unsubscribeUrl: mail.unsubscribe_url,
  }
}

/** A mail that was sent, given up or deleted meanwhile is not sent again. Those of sandboxes are kept. */
function findUnsent(db: Db, id: number): Promise<Mail | undefined> {
  return db
    .selectFrom('mails')
    .selectAll()
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .where(condition`not exists (select from test_clocks where test_clocks.company_id = mails.company_id)`)
    .executeTakeFirst()
}

/** A mail with a sign-in link loses its text once it is delivered. */
async function markSent(db: Db, id: number, now: Date): Promise<void> {
  await sql`update mails set sent_at = ${now},
      text = case when carries_secret then null else text end,
      html = case when carries_secret then null else html end
    where id = ${id} and sent_at is null`.execute(db)
}

async function markFailed(db: Db, id: number, reason: string, failedAt: Date | null): Promise<void> {
  await db
    .updateTable('mails')
    .set({ last_error: reason, failed_at: failedAt })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .execute()
}
