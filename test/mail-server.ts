import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import type { Certificate } from './certificate.ts'

/** A received mail: the envelope, the bytes, and the parsed message. */
export type Received = {
  from: string
  to: string[]
  raw: string
  email: Email
  /** Whether it came through TLS, and under which name the sender had signed in. */
  secure: boolean
  user: string | undefined
}

export type Refusal = { code: number; text: string }

export type MailServer = {
  /** The address, as soon as there is one: the hooks of a file start side by side. */
  readonly listening: Promise<string>
  readonly url: string
  readonly port: number
  readonly received: Received[]
  /** The user names of all sign-in attempts. */
  readonly signIns: string[]
  /** The server's refusal of a recipient, and of a mail that it has read; none by default. */
  refuseRecipient: (address: string) => Refusal | undefined
  refuseMessage: (mail: Received) => Refusal | undefined | Promise<Refusal | undefined>
  /** Stops and cuts open connections; starts again under the same address. */
  stop(): Promise<void>
  start(): Promise<void>
}

export type MailServerOptions = {
  /** Offers TLS: after STARTTLS, or from the first byte. */
  tls?: Certificate & { from: 'starttls' | 'start' }
  /** Accepts mail only from clients that sign in as this user. */
  login?: { user: string; password: string }
}

/** A real SMTP server on this machine. */
export function createMailServer(options: MailServerOptions = {}): MailServer {
  const listening = Promise.withResolvers<string>()
  let smtp: SMTPServer | undefined
  let port = 0

  async function start(): Promise<void> {
    smtp = createServer(server, options)
    smtp.listen(port, '127.0.0.1')
    await once(smtp.server, 'listening')
    port = (smtp.server.address() as AddressInfo).port
    listening.resolve(server.url)
  }

  async function stop(): Promise<void> {
    const stopped = smtp
    if (stopped === undefined) return
    smtp = undefined
    const closed = new Promise<void>((resolve) => stopped.close(resolve))
    for (const connection of stopped.connections) connection.close()
    await closed
  }

  const server: MailServer = {
    get port() {
      return port
    },
    get url() {
      const { user, password } = options.login ?? {}
      const login = user === undefined ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? '')}@`
      return `${options.tls?.from === 'start' ? 'smtps' : 'smtp'}://${login}127.0.0.1:${port}`
    },
    received: [],
    signIns: [],
    refuseRecipient: () => undefined,
    refuseMessage: () => undefined,
    listening: listening.promise,
    start,
    stop,
  }
  return server
}

/** The server, for the tests of a file. */
export function useMailServer(options: MailServerOptions = {}): MailServer {
  const server = createMailServer(options)
  before(server.start)
  after(server.stop)
  return server
}

function errorOf(refusal: Refusal | undefined): Error | undefined {
  return refusal === undefined ? undefined : Object.assign(new Error(refusal.text), { responseCode: refusal.code })
}

function createServer(server: MailServer, { tls, login }: MailServerOptions): SMTPServer {
  const smtp = new SMTPServer({
    ...(tls === undefined ? {} : { key: tls.key, cert: tls.cert }),
    secure: tls?.from === 'start',
    authOptional: login === undefined,
    disabledCommands: [...(tls === undefined ? ['STARTTLS'] : []), ...(login === undefined ? ['AUTH'] : [])],
    allowInsecureAuth: tls === undefined,
    disableReverseLookup: true,
    logger: false,
    onAuth: ({ username, password }, _session, callback) => {
      server.signIns.push(username ?? '')
      const right = username === login?.user && password === login?.password
      if (right) callback(null, { user: username })
      // Some servers repeat what they were told.
      else callback(new Error(`no such user ${username} with ${password}`))
    },
    onRcptTo: ({ address }, _session, callback) => callback(errorOf(server.refuseRecipient(address))),
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', async () => {
        const mail = await read(Buffer.concat(chunks), session)
        const refusal = await server.refuseMessage(mail)
        if (refusal === undefined) server.received.push(mail)
        callback(errorOf(refusal))
      })
    },
  })
  // Some tests disconnect in the middle.
  smtp.on('error', () => {})
  return smtp
}

async function read(bytes: Buffer, { envelope, secure, user }: SMTPServerSession): Promise<Received> {
  return {
    from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
    to: envelope.rcptTo.map(({ address }) => address),
    raw: bytes.toString(),
    email: await PostalMime.parse(bytes),
    secure,
    user,
  }
}
