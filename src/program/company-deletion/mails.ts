import type { Recipient } from '#identity/users/mails.ts'
import { button, inLine, layOut, type Mail, paragraph } from '#platform/mail/layout.ts'
import { translatorOf } from '#platform/text/messages.ts'
import { momentIn } from '#platform/text/times.ts'

type Told = { companyName: string; by: string; due: Date; link: string }

/** Tells who may cancel it that a company will be deleted: somebody may have done it in the name of another. */
export function deletionRequestedMail(recipient: Recipient, { companyName, by, due, link }: Told): Mail {
  const t = translatorOf(recipient.language)
  const company = inLine(companyName)
  const time = momentIn({ language: t.language, utcOffset: recipient.time_zone }, due)
  return layOut({
    subject: t('mails.user.deletion_requested.subject', { company }),
    language: t.language,
    parts: [
      paragraph(t('mails.common.hello')),
      paragraph(t('mails.user.deletion_requested.text', { company, by: inLine(by), time })),
      paragraph(t('mails.user.deletion_requested.until_then')),
      button({
        label: t('mails.user.deletion_requested.button'),
        link,
        hint: t('mails.common.if_button_fails'),
      }),
    ],
  })
}

export function deletionCancelledMail(
  recipient: Recipient,
  { companyName, by }: Pick<Told, 'companyName' | 'by'>,
): Mail {
  const t = translatorOf(recipient.language)
  const company = inLine(companyName)
  return layOut({
    subject: t('mails.user.deletion_cancelled.subject', { company }),
    language: t.language,
    parts: [
      paragraph(t('mails.common.hello')),
      paragraph(t('mails.user.deletion_cancelled.text', { company, by: inLine(by) })),
    ],
  })
}

/** The last mail: the address of its reader is deleted with the company. */
export function deletionStartedMail(
  recipient: Recipient,
  { companyName }: Pick<Told, 'companyName'>,
  kept: Date,
): Mail {
  const t = translatorOf(recipient.language)
  const company = inLine(companyName)
  const time = momentIn({ language: t.language, utcOffset: 0 }, kept)
  return layOut({
    subject: t('mails.user.deletion_started.subject', { company }),
    language: t.language,
    parts: [paragraph(t('mails.common.hello')), paragraph(t('mails.user.deletion_started.text', { company, time }))],
  })
}
