import { button, inLine, layOut, type Mail, paragraph } from '#platform/mail/layout.ts'

function inWords(time: Date): string {
  return `${time.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} GMT`
}

type Words = { subject: string; before: string[]; button: { label: string; link: string }; after: string[] }

/** The paragraphs of a mail around its one button. */
function write({ subject, before, button: { label, link }, after }: Words): Mail {
  const hint = 'If the button does not work, open this address:'
  const parts = [...before.map(paragraph), button({ label, link, hint }), ...after.map(paragraph)]
  return layOut({ subject, language: 'en', parts })
}

const CHOOSE = 'Choose a password, and you are in.'
const IN_USE =
  'This email address has an account here already, and an address can be used for one company only. To accept, ask for an invitation to another address of yours.'

/** Without `inviterName` the operator of the service invites. */
export function invitationMail(invitation: {
  companyName: string
  inviterName: string | undefined
  link: string
  expires: Date
  /** The address belongs to an account already, so it cannot be used for another one. */
  hasAccount: boolean
}): Mail {
  const company = inLine(invitation.companyName)
  const invites =
    invitation.inviterName === undefined ? 'You are invited' : `${inLine(invitation.inviterName)} invites you`
  return write({
    subject: `Invitation to run ${company}`,
    before: ['Hello,', `${invites} to run the shop of ${company}. ${invitation.hasAccount ? IN_USE : CHOOSE}`],
    button: { label: 'Accept the invitation', link: invitation.link },
    after: [
      `The link works once, until ${inWords(invitation.expires)}.`,
      'If you do not know what this is about, do nothing: without the link nobody gets in.',
    ],
  })
}

export function resetMail(reset: { companyName: string; link: string; expires: Date }): Mail {
  const company = inLine(reset.companyName)
  return write({
    subject: `Your password for ${company}`,
    before: ['Hello,', `Somebody, we hope you, asked for a new password for the shop of ${company}.`],
    button: { label: 'Choose a new password', link: reset.link },
    after: [
      `The link works once, until ${inWords(reset.expires)}.`,
      'If it was not you, do nothing: your password stays as it is.',
    ],
  })
}

/** Informs the owner of a changed password. `link` leads to the page for requesting a new one. */
export function passwordChangedMail(change: { companyName: string; email: string; changed: Date; link: string }): Mail {
  const company = inLine(change.companyName)
  return write({
    subject: `Your password for ${company} was changed`,
    before: [
      'Hello,',
      `The password of ${inLine(change.email)} for the shop of ${company} was changed on ${inWords(change.changed)}.`,
      'If it was you, there is nothing to do. If it was not, choose a new password now, and tell the other users of the company.',
    ],
    button: { label: 'Choose a new password', link: change.link },
    after: [],
  })
}
