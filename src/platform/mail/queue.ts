import type { Tx } from '../db/database.ts'
import { defineJob, type NewJob } from '../jobs/kinds.ts'
import { MAIL, SIGN_IN_MAIL } from '../jobs/lanes.ts'
import { enqueue } from '../jobs/queue.ts'

/** The data of a job that sends a mail names its row. */
type MailData = { id: number }

export const SEND_MAIL = defineJob<MailData, number | null>('send mail', { lane: MAIL })
/** Sends a mail with a link for signing in, which a person waits for. */
export const SEND_SIGN_IN_MAIL = defineJob<MailData, number | null>('send sign-in mail', { lane: SIGN_IN_MAIL })

export const SENDING_KINDS = [SEND_MAIL, SEND_SIGN_IN_MAIL] as const

export type NewMail = {
  companyId: number | null
  to: string
  /** Shown as the sender's name instead of the service's. */
  senderName?: string
  /** The address for replies, if it is not the sender's. */
  replyTo?: string
  subject: string
  text: string
  html: string
  /** It carries a link for signing in: it is sent before other mails, and its text is dropped once it is sent. */
  carriesSecret?: boolean
  /** Where the recipient leaves the list that the mail was sent to. A POST to it does so at once (RFC 8058). */
  unsubscribeUrl?: string
  /** What it is about, so that it is found again beside it. */
  concerns?: string
}

/** Writes a mail in the caller's transaction: it goes out after the commit, and only then. */
export async function queueMail(tx: Tx, mail: NewMail, now: Date): Promise<void> {
  const row = await tx
    .insertInto('mails')
    .values({
      company_id: mail.companyId,
      recipient: mail.to,
      sender_name: mail.senderName ?? null,
      reply_to: mail.replyTo ?? null,
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      carries_secret: mail.carriesSecret === true,
      unsubscribe_url: mail.unsubscribeUrl ?? null,
      concerns: mail.concerns ?? null,
      created_at: now,
    })
    .returning(['id', 'company_id', 'carries_secret'])
    .executeTakeFirstOrThrow()
  await enqueue(tx, sendingJob(row), now)
}

/** The job that sends a mail of the table. */
export function sendingJob(mail: {
  id: number
  company_id: number | null
  carries_secret: boolean
}): NewJob<MailData, number | null> {
  const kind = mail.carries_secret ? SEND_SIGN_IN_MAIL : SEND_MAIL
  return { kind, companyId: mail.company_id, data: { id: mail.id } }
}
