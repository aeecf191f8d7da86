import type { FastifyRequest } from 'fastify'
import { type Logger, pino } from 'pino'

export type Log = Logger

/** What opens a door, and whom a question is about: a log outlives the customer that is erased. */
const SECRETS = new Set([
  'access_token',
  'email',
  'refresh_token',
  'password',
  'password_confirmation',
  'current_password',
  'client_secret',
  'code',
  'code_verifier',
  'token',
  '_csrf',
])

/** Paths that end in a token which opens a door, by how they begin. */
const DOORS = /^\/+(?:(?:reset|invitation|first-run)|api\/+customers\/+login\/+[^/]+)\/+/i

/** Undefined for what is no text in percent signs. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Any spelling of a name counts as the name: a query may write any character with a percent sign. */
function isSecret(name: string): boolean {
  const decoded = decode(name)
  return decoded === undefined || SECRETS.has(decoded.toLowerCase())
}

/** What is asked for after signing in is an address too. */
function withoutSecretsInside(name: string, value: string): string {
  if (decode(name) !== 'return_to') return value
  const address = decode(value)
  if (address === undefined) return '…'
  const plain = withoutSecrets(address)
  return plain === address ? value : encodeURIComponent(plain).replaceAll(encodeURIComponent('…'), '…')
}

/** Letters, digits and slashes that a path writes with percent signs, as they are; the rest of it may be broken. */
function plainPath(path: string): string {
  return path.replace(/%([2-7][0-9a-f])/gi, (_match, code) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** A request's address without what must never reach a log. */
export function withoutSecrets(url: string): string {
  const at = url.indexOf('?')
  const [path, query] = at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at)]
  const [door] = DOORS.exec(plainPath(path)) ?? []
  const pairs = query.replace(/([?&])([^=&]*)=([^&]*)/g, (_pair, mark, name, value) =>
    isSecret(name) ? `${mark}${name}=…` : `${mark}${name}=${withoutSecretsInside(name, value)}`,
  )
  return `${door === undefined ? path : `${door}…`}${pairs}`
}

/** One line of JSON an event. Bodies and headers are not logged at all; addresses are stripped of their secrets. */
export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const options = {
    level,
    base: null,
    serializers: {
      req: (request: FastifyRequest) => ({ method: request.method, url: withoutSecrets(request.url), ip: request.ip }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
      err: pino.stdSerializers.err,
    },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
