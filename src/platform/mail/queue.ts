import type { Tx } from '../db/database.ts'
import { enqueue } from '../jobs/queue.ts'

/** The kind of job that sends a mail; its data is the id of the row. */
export const SEND_MAIL = 'send mail'

export type NewMail = {
  companyId: number | null
  to: string
  /** Shown as the sender's name instead of the service's. */
  senderName?: string
  /** Where answers go instead of to the sender. */
  replyTo?: string
  subject: string
  text: string
  html: string
  /** It carries a link that opens a door: its text is dropped once it is sent. */
  carriesSecret?: boolean
}

/** Writes a mail in the caller's transaction: it goes out after the commit, and only then. */
export async function queueMail(tx: Tx, mail: NewMail, now: Date): Promise<void> {
  const { id } = await tx
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
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await enqueue(tx, [{ kind: SEND_MAIL, companyId: mail.companyId, data: { id } }], now)
}
