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
  'client_secret',
  'code',
  'token',
])

/** Any spelling of a name counts as the name: a query may write any character with a percent sign. */
function isSecret(name: string): boolean {
  try {
    return SECRETS.has(decodeURIComponent(name).toLowerCase())
  } catch {
    return true
  }
}

/** A request's address without what must never reach a log. */
export function withoutSecrets(url: string): string {
  return url
    .replace(/([?&])([^=&]*)=[^&]*/g, (pair, mark, name) => (isSecret(name) ? `${mark}${name}=…` : pair))
    .replace(/(\/api\/customers\/login\/[^/]+\/)[^?]+/, '$1…')
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
