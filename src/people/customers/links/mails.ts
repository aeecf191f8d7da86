import { button, inLine, layOut, type Mail, type Part, paragraph } from '#platform/mail/layout.ts'
import type { Request } from './rules.ts'

function inWords(time: Date): string {
  return `${time.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} GMT`
}

const HINT = 'If the button does not work, open this address:'

function write(subject: string, before: string[], action: Part[], after: string[]): Mail {
  return layOut({ subject, language: 'en', parts: [...before.map(paragraph), ...action, ...after.map(paragraph)] })
}

type Letter = { companyName: string; link: string; expires: Date }

/** Asks the customer, at the current address, for a change that the company may not make. */
export function requestMail({ kind, newEmail, companyName, link, expires }: Request & Letter): Mail {
  const company = inLine(companyName)
  const change = `to change the email address of your customer account to ${inLine(newEmail ?? '')}`
  const subjects = {
    email: `${company} asks to change your email address`,
    password: `${company} asks you to choose a new password`,
    both: `${company} asks to change your email address and password`,
  }
  const asks = {
    email: `${company} asks ${change}.`,
    password: `${company} asks you to choose a new password for your customer account.`,
    both: `${company} asks ${change}, and you to choose a new password.`,
  }
  const label = kind === 'password' ? 'Choose a new password' : 'See what is to change'
  return write(
    subjects[kind],
    ['Hello,', asks[kind], 'You use this account in other shops too, so nobody but you can do this.'],
    [button({ label, link, hint: HINT })],
    [
      `The link works once, until ${inWords(expires)}.`,
      'If you do not want this, do nothing: your account stays as it is.',
    ],
  )
}

/** Asks the reader of the new address to confirm it. It may be a stranger, so the mail says nothing of the account. */
export function proofMail({ companyName, link, expires }: Letter): Mail {
  return write(
    'Confirm your new email address',
    [
      'Hello,',
      `Somebody, we hope you, wants to use this email address for a customer account at ${inLine(companyName)}.`,
    ],
    [button({ label: 'Confirm the address', link, hint: HINT })],
    [`The link works once, until ${inWords(expires)}.`, 'If it was not you, do nothing: the address is not used then.'],
  )
}

type Changed = { what: 'password' | 'email address'; companyName: string; email: string; changed: Date }

/** Informs the owner of an account about a change, at the address that it had before. */
export function changedMail({ what, companyName, email, changed }: Changed): Mail {
  const company = inLine(companyName)
  return write(
    `Your ${what} was changed`,
    [
      'Hello,',
      `The ${what} of the customer account ${inLine(email)} was changed on ${inWords(changed)}, as ${company} had asked.`,
      `If it was you, there is nothing to do. If it was not, somebody else reads your mails: tell ${company} at once.`,
    ],
    [],
    [],
  )
}
