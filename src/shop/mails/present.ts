import type { RefusedRecipient as RefusedRow } from '#platform/mail/company-mails.ts'
import type { ListedMail, WholeMail as WholeRow } from '#platform/mail/store.ts'
import { wireTime } from '#platform/wire/times.ts'
import type { Mail, RefusedRecipient, WholeMail } from './schema.ts'

const timeOrNull = (time: Date | null) => (time === null ? null : wireTime(time))

export function presentMail(mail: ListedMail): Mail {
  return {
    id: mail.id,
    recipient: mail.recipient,
    subject: mail.subject,
    state: mail.state,
    created_at: wireTime(mail.created_at),
    sent_at: timeOrNull(mail.sent_at),
    failed_at: timeOrNull(mail.failed_at),
    last_error: mail.last_error,
  }
}

export function presentWholeMail(mail: WholeRow): WholeMail {
  return { ...presentMail(mail), text: mail.text, html: mail.html }
}

export function presentRefused({ last_failed_at, ...refused }: RefusedRow): RefusedRecipient {
  return { ...refused, last_failed_at: wireTime(last_failed_at) }
}
