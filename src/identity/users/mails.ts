import { button, inLine, layOut, type Mail, paragraph } from '#platform/mail/layout.ts'
import { type Translator, translatorOf } from '#platform/text/messages.ts'
import { momentIn } from '#platform/text/times.ts'
import type { UserState } from './state.ts'

/** Who reads the mail, and in which language. */
export type Recipient = Pick<UserState, 'language' | 'time_zone'>

const inWords = ({ language }: Translator, { time_zone: utcOffset }: Recipient, time: Date) =>
  momentIn({ language, utcOffset }, time)

type Words = { subject: string; before: string[]; button: { label: string; link: string }; after: string[] }

/** The paragraphs of a mail around its one button. */
function write(t: Translator, { subject, before, button: { label, link }, after }: Words): Mail {
  const hint = t('mails.common.if_button_fails')
  const said = [t('mails.common.hello'), ...before]
  const parts = [...said.map(paragraph), button({ label, link, hint }), ...after.map(paragraph)]
  return layOut({ subject, language: t.language, parts })
}

/** Without `inviterName` the operator of the service invites. */
export function invitationMail(
  recipient: Recipient,
  invitation: {
    companyName: string
    inviterName: string | undefined
    link: string
    expires: Date
    /** The address belongs to an account already, so it cannot be used for another one. */
    hasAccount: boolean
  },
): Mail {
  const t = translatorOf(recipient.language)
  const company = inLine(invitation.companyName)
  const invites =
    invitation.inviterName === undefined
      ? t('mails.user.invitation.invited', { company })
      : t('mails.user.invitation.invited_by', { inviter: inLine(invitation.inviterName), company })
  const next = t(invitation.hasAccount ? 'mails.user.invitation.in_use' : 'mails.user.invitation.choose')
  return write(t, {
    subject: t('mails.user.invitation.subject', { company }),
    before: [`${invites} ${next}`],
    button: { label: t('mails.user.invitation.button'), link: invitation.link },
    after: [
      t('mails.user.until', { time: inWords(t, recipient, invitation.expires) }),
      t('mails.user.invitation.ignore'),
    ],
  })
}

export function resetMail(recipient: Recipient, reset: { companyName: string; link: string; expires: Date }): Mail {
  const t = translatorOf(recipient.language)
  const company = inLine(reset.companyName)
  return write(t, {
    subject: t('mails.user.reset.subject', { company }),
    before: [t('mails.user.reset.text', { company })],
    button: { label: t('mails.user.reset.button'), link: reset.link },
    after: [t('mails.user.until', { time: inWords(t, recipient, reset.expires) }), t('mails.user.reset.ignore')],
  })
}

/** Informs the owner of a changed password. `link` leads to the page for requesting a new one. */
export function passwordChangedMail(
  recipient: Recipient,
  change: { companyName: string; email: string; changed: Date; link: string },
): Mail {
  const t = translatorOf(recipient.language)
  const company = inLine(change.companyName)
  const time = inWords(t, recipient, change.changed)
  return write(t, {
    subject: t('mails.user.password_changed.subject', { company }),
    before: [
      t('mails.user.password_changed.text', { email: inLine(change.email), company, time }),
      t('mails.user.password_changed.if_not'),
    ],
    button: { label: t('mails.user.password_changed.button'), link: change.link },
    after: [],
  })
}
