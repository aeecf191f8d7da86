import { html } from 'ghtml'

export type Mail = { subject: string; text: string; html: string }

/** Names come from people: in a mail they stay within their line. */
function inLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

function inWords(time: Date): string {
  return `${time.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} GMT`
}

type Letter = { subject: string; before: string[]; button: { label: string; link: string }; after: string[] }

/** A subject, paragraphs, and one button; the text part says the same without the layout. */
function layOut({ subject, before, button, after }: Letter): Mail {
  const paragraphs = (texts: string[]) => texts.map((text) => html`<p style="margin:0 0 16px">${text}</p>`).join('')
  return {
    subject,
    text: `${[...before, `${button.label}:\n${button.link}`, ...after].join('\n\n')}\n`,
    html: html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
</head>
<body style="margin:0;padding:24px 16px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
<div style="max-width:560px;margin:0 auto;overflow-wrap:anywhere">
!${paragraphs(before)}
<p style="margin:0 0 16px"><a href="${button.link}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#0b6b57;color:#ffffff;text-decoration:none">${button.label}</a></p>
<p style="margin:0 0 16px;font-size:14px">If the button does not work, open this address:<br><a href="${button.link}">${button.link}</a></p>
!${paragraphs(after)}
</div>
</body>
</html>
`,
  }
}

/** `inviterName` undefined: the operator of the service invites. */
export function invitationMail(invitation: {
  companyName: string
  inviterName: string | undefined
  link: string
  expires: Date
}): Mail {
  const company = inLine(invitation.companyName)
  const invites =
    invitation.inviterName === undefined ? 'You are invited' : `${inLine(invitation.inviterName)} invites you`
  return layOut({
    subject: `Invitation to run ${company}`,
    before: ['Hello,', `${invites} to run the shop of ${company}. Choose a password, and you are in.`],
    button: { label: 'Accept the invitation', link: invitation.link },
    after: [
      `The link works once, until ${inWords(invitation.expires)}.`,
      'If you do not know what this is about, do nothing: without the link nobody gets in.',
    ],
  })
}

export function resetMail(reset: { companyName: string; link: string; expires: Date }): Mail {
  const company = inLine(reset.companyName)
  return layOut({
    subject: `Your password for ${company}`,
    before: ['Hello,', `somebody, we hope you, asked for a new password for the shop of ${company}.`],
    button: { label: 'Choose a new password', link: reset.link },
    after: [
      `The link works once, until ${inWords(reset.expires)}.`,
      'If it was not you, do nothing: your password stays as it is.',
    ],
  })
}

/** Tells the owner of a changed password, who may not be the one who changed it. `link` leads to where a new one is asked for. */
export function passwordChangedMail(change: { companyName: string; email: string; changed: Date; link: string }): Mail {
  const company = inLine(change.companyName)
  return layOut({
    subject: `Your password for ${company} was changed`,
    before: [
      'Hello,',
      `the password of ${inLine(change.email)} for the shop of ${company} was changed on ${inWords(change.changed)}.`,
      'If it was you, there is nothing to do. If it was not, choose a new password now, and tell the other users of the company.',
    ],
    button: { label: 'Choose a new password', link: change.link },
    after: [],
  })
}
