import { connect, type LookupFunction, type Socket } from 'node:net'
import type { SMTPTransportGetSocketCallback } from 'nodemailer/lib/smtp-transport'
import { awaitedLater } from '../errors/awaited-later.ts'
import { toError } from '../errors/to-error.ts'
import { isMailAddress, isOnThisMachine, type MailSettings } from './settings.ts'

export type Message = {
  /** The same at every try, so that a receiver can tell a repeat from a second mail. */
  messageId: string
  date: Date
  to: string
  /** Null: the name that the service is set up with. */
  senderName: string | null
  /** A text that is no email address is left out. */
  replyTo: string | null
  subject: string
  text: string
  html: string
  /** Null: the mail was not sent to a list. */
  unsubscribeUrl: string | null
}

export type Outcome =
  | { kind: 'accepted' }
  /** The server, or the mail itself, says that trying again will not help. */
  | { kind: 'refused'; reason: string }
  | { kind: 'unreachable'; reason: string }

export type SmtpOptions = {
  /** Tests replace these parts of the network: what a name resolves to, and how long to wait. */
  lookup?: LookupFunction
  patience?: Patience
}

/** How long to wait for a connection, for the next reply of the server, and in total. */
export type Patience = { connectMs: number; silenceMs: number; totalMs: number }

/** The total ends before the lease of the job, so that no second worker begins while the first still sends. */
const PATIENCE: Patience = { connectMs: 10_000, silenceMs: 30_000, totalMs: 60_000 }
const REASON_MAX = 500

type Transport = Awaited<ReturnType<typeof openTransport>>
type SmtpError = Error & {
  code?: string
  response?: string
  responseCode?: number
  permanent?: boolean
  errors?: Error[]
}

/** Hands a mail to the server. It never throws: every failure is an outcome. */
export async function submit(settings: MailSettings, message: Message, options: SmtpOptions = {}): Promise<Outcome> {
  if (!isMailAddress(message.to)) return { kind: 'refused', reason: 'The recipient is no email address.' }
  const { to, senderName, replyTo, subject, unsubscribeUrl, ...rest } = message
  try {
    await withTransport(settings, options, (transport) =>
      transport.sendMail({
        ...rest,
        from: { ...settings.from, ...(senderName === null ? {} : { name: withoutControls(senderName) }) },
        to: { name: '', address: to },
        ...(replyTo !== null && isMailAddress(replyTo) ? { replyTo: { name: '', address: replyTo } } : {}),
        subject: withoutControls(subject),
        // Tells holiday notices and other robots not to answer (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribeUrl) },
      }),
    )
    return { kind: 'accepted' }
  } catch (error) {
    return { kind: isFinal(toError(error)) ? 'refused' : 'unreachable', reason: reasonOf(error, settings) }
  }
}

/** Mail programs show a button to leave the list. It needs no page if the address is encrypted (RFC 8058). */
function unsubscribeHeaders(url: string | null): Record<string, string> {
  if (url === null) return {}
  const isOneClick = url.startsWith('https:')
  return {
    'List-Unsubscribe': `<${url}>`,
    ...(isOneClick ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
  }
}

/** Connects and signs in without sending anything; returns what is wrong, or undefined. */
export async function probe(settings: MailSettings, options: SmtpOptions = {}): Promise<string | undefined> {
  try {
    await withTransport(settings, options, (transport) => transport.verify())
    return undefined
  } catch (error) {
    return reasonOf(error, settings)
  }
}

/**
 * Only a clear refusal of this mail's sender, recipient or content is final. A refused sign-in can be corrected by the
 * operator, and the mail can go out then.
 */
function isFinal({ code, response, responseCode, permanent }: SmtpError): boolean {
  const isOfThisMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  const isAboutSignIn = responseCode === 530
  // A reply without a code says nothing about the mail. Without any reply, nodemailer itself cannot send it.
  return isOfThisMail && !isAboutSignIn && (response === undefined || permanent === true)
}

/** Describes a failure in one line, without the password, which a server may repeat. */
function reasonOf(error: unknown, { server: { login } }: MailSettings): string {
  const { message, code, errors = [] }: SmtpError = toError(error)
  const text = message || errors.map((one) => one.message).join(', ') || code || 'no reason given'
  const base64 = (secret: string) => Buffer.from(secret).toString('base64')
  const secrets =
    login === undefined ? [] : [base64(`\0${login.user}\0${login.password}`), base64(login.password), login.password]
  return withoutControls(secrets.reduce((clean, secret) => clean.replaceAll(secret, '…'), text)).slice(0, REASON_MAX)
}

function withoutControls(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

/** Opens a connection for one task, and closes it when the time is up even if the task still runs. */
async function withTransport(
  settings: MailSettings,
  { lookup, patience = PATIENCE }: SmtpOptions,
  work: (transport: Transport) => Promise<unknown>,
): Promise<void> {
  let socket: Socket | undefined
  const late = Promise.withResolvers<never>()
  const tooLate = awaitedLater(late.promise)
  const timer = setTimeout(() => {
    late.reject(new Error(`the mail server took longer than ${patience.totalMs / 1000} seconds`))
    socket?.destroy()
  }, patience.totalMs)
  try {
    const open = (callback: SMTPTransportGetSocketCallback) => {
      socket = openSocket(settings, patience, lookup, callback)
    }
    await Promise.race([work(await openTransport(settings, patience, open)), tooLate])
  } finally {
    clearTimeout(timer)
    socket?.destroySoon()
  }
}

/** Uses the resolver of the system and all addresses of a name: nodemailer's own ignores /etc/hosts. */
function openSocket(
  { server: { host, port } }: MailSettings,
  { connectMs }: Patience,
  lookup: LookupFunction | undefined,
  callback: SMTPTransportGetSocketCallback,
): Socket {
  const socket = connect({ host, port, lookup })
  const timer = setTimeout(
    () => socket.destroy(new Error(`${host}:${port} did not answer within ${connectMs / 1000} seconds`)),
    connectMs,
  )
  // This listener stays as long as the socket: an error without a listener ends the process.
  socket.on('error', () => {})
  socket.once('error', callback)
  socket.once('close', () => clearTimeout(timer))
  socket.once('connect', () => {
    clearTimeout(timer)
    socket.off('error', callback)
    callback(null, { connection: socket })
  })
  return socket
}

/** Loaded with the first mail, because many services send none. */
async function openTransport(
  { server }: MailSettings,
  { connectMs, silenceMs }: Patience,
  open: (callback: SMTPTransportGetSocketCallback) => void,
) {
  const { createTransport } = await import('nodemailer')
  const local = isOnThisMachine(server)
  return createTransport({
    host: server.host,
    port: server.port,
    secure: server.secure,
    // A password goes to another machine through TLS or not at all.
    requireTLS: server.login !== undefined && !local,
    // A server on this machine has a self-signed certificate, if any.
    tls: { rejectUnauthorized: !local },
    auth: server.login === undefined ? undefined : { user: server.login.user, pass: server.login.password },
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    getSocket: (_options, callback) => open(callback),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
