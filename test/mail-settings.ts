import { type MailSettings, parseMailServer } from '#platform/mail/settings.ts'

/** How a service sends its mails by a server of the tests. Without one it keeps them. */
export async function mailSettings(smtpUrl: string | Promise<string> | undefined): Promise<MailSettings | undefined> {
  if (smtpUrl === undefined) return undefined
  const server = parseMailServer(await smtpUrl)
  if (server === undefined) throw new Error(`${await smtpUrl} is no mail server`)
  return { server, from: { name: 'Licet', address: 'no-reply@licet.example' } }
}
