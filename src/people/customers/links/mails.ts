import { button, inLine, layOut, type Mail, type Part, paragraph } from '#platform/mail/layout.ts'
import { type Translator, translatorOf } from '#platform/text/messages.ts'
import { momentIn } from '#platform/text/times.ts'
import type { Request } from './rules.ts'

/** Where a customer is, nobody knows. */
const inWords = ({ language }: Translator, time: Date) => momentIn({ language, utcOffset: 0 }, time)

function write(t: Translator, subject: string, before: string[], action: Part[], after: string[]): Mail {
  const parts = [...[t('mails.common.hello'), ...before].map(paragraph), ...action, ...after.map(paragraph)]
  return layOut({ subject, language: t.language, parts })
}

function linkButton(t: Translator, label: string, link: string): Part {
  return button({ label, link, hint: t('mails.common.if_button_fails') })
}

/** Mails with a link are in the language of the customer. */
type Letter = { language: string; companyName: string; link: string; expires: Date }

/** Asks the customer, at the current address, for a change that the company may not make. */
export function requestMail({ kind, newEmail, language, companyName, link, expires }: Request & Letter): Mail {
  const t = translatorOf(language)
  const company = inLine(companyName)
  const asks = t(`mails.customer_link.${kind}.text`, { company, new_email: inLine(newEmail ?? '') })
  const label = t(kind === 'password' ? 'mails.customer_link.choose' : 'mails.customer_link.look')
  return write(
    t,
    t(`mails.customer_link.${kind}.subject`, { company }),
    [asks, t('mails.customer_link.only_you')],
    [linkButton(t, label, link)],
    [t('mails.user.until', { time: inWords(t, expires) }), t('mails.customer_link.ignore')],
  )
}

/** Asks the reader of the new address to confirm it. It may be a stranger, so the mail says nothing of the account. */
export function proofMail({ language, companyName, link, expires }: Letter): Mail {
  const t = translatorOf(language)
  return write(
    t,
    t('mails.customer_link.proof.subject'),
    [t('mails.customer_link.proof.text', { company: inLine(companyName) })],
    [linkButton(t, t('mails.customer_link.proof.button'), link)],
    [t('mails.user.until', { time: inWords(t, expires) }), t('mails.customer_link.proof.ignore')],
  )
}

type Changed = { what: 'password' | 'email'; language: string; companyName: string; email: string; changed: Date }

/** Informs the owner of an account about a change, at the address that it had before. */
export function changedMail({ what, language, companyName, email, changed }: Changed): Mail {
  const t = translatorOf(language)
  const company = inLine(companyName)
  const names = { email: inLine(email), company, time: inWords(t, changed) }
  return write(
    t,
    t(`mails.customer_link.changed.${what}.subject`),
    [t(`mails.customer_link.changed.${what}.text`, names), t('mails.customer_link.changed.if_not', { company })],
    [],
    [],
  )
}
