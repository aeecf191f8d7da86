import { BlockList, isIP } from 'node:net'

/** Who a mail is from. */
export type Mailbox = { name: string; address: string }

export type MailServer = {
  host: string
  port: number
  /** TLS from the first byte; otherwise the connection is upgraded as soon as the server offers it. */
  secure: boolean
  login: { user: string; password: string } | undefined
}

/** How mail leaves the service: through which server, and from whom. */
export type MailSettings = { server: MailServer; from: Mailbox }

const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}]{1,255}$/u
const PORTS: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 }

/** One address and nothing else: nothing in it can end a header or name a second recipient. */
export function isMailAddress(text: string): boolean {
  return ADDRESS.test(text)
}

/** Reads `Name <address>` or an address alone. */
export function parseMailbox(text: string): Mailbox | undefined {
  const mailbox = text.trim()
  const at = mailbox.indexOf('<')
  if (at === -1) return isMailAddress(mailbox) ? { name: '', address: mailbox } : undefined
  const name = mailbox.slice(0, at).trim()
  const address = mailbox.slice(at + 1, -1)
  if (!mailbox.endsWith('>') || /[>\p{Cc}]/u.test(name) || !isMailAddress(address)) return undefined
  return { name: name.replace(/^"(.*)"$/, '$1').trim(), address }
}

/** Reads smtp://user:password@host:587 or smtps://…; a part that has no meaning, such as options, is refused. */
export function parseMailServer(text: string): MailServer | undefined {
  // The URL parser drops line breaks and joins the text around them.
  if (/\s/.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const standardPort = PORTS[url.protocol]
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const extras = `${url.pathname.replace(/^\/$/, '')}${url.search}${url.hash}`
  if (standardPort === undefined || !/^[\w.:-]+$/.test(host) || extras !== '') return undefined
  if ((url.username === '') !== (url.password === '') || url.port === '0') return undefined
  try {
    const login =
      url.username === ''
        ? undefined
        : { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }
    return { host, port: url.port === '' ? standardPort : Number(url.port), secure: url.protocol === 'smtps:', login }
  } catch {
    return undefined
  }
}

/** The default sender is no-reply at the host of the service; an IP address cannot be part of a mail address. */
export function defaultSender(baseUrl: string | undefined): Mailbox | undefined {
  const host = URL.canParse(baseUrl ?? '') ? new URL(baseUrl ?? '').hostname : ''
  const address = `no-reply@${host}`
  return isIP(host) === 0 && isMailAddress(address) ? { name: 'Licet', address } : undefined
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Is the server on this machine? Then the connection cannot be intercepted. */
export function isOnThisMachine({ host }: MailServer): boolean {
  const family = isIP(host)
  return family === 0 ? host.toLowerCase() === 'localhost' : loopback.check(host, family === 6 ? 'ipv6' : 'ipv4')
}
