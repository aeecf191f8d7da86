import type { FastifyRequest } from 'fastify'
import type { Log } from '../log/log.ts'

/** Parameters that grant access, and those that name a person: a log outlives the erasure of that person. */
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
  'signature',
  '_csrf',
])

/** Matches what comes before the secret in a path that ends in one, such as `/reset/` of `/reset/:token`. */
export function beforeSecret(paths: readonly string[]): RegExp {
  const beginnings = paths.map((path) =>
    path
      .slice(0, path.lastIndexOf(':'))
      .split(/(:\w+|\/)/)
      .map((part) => (part === '/' ? '\\/+' : part.startsWith(':') ? '[^/~]+' : RegExp.escape(part)))
      .join(''),
  )
  // Without any path it matches nothing.
  return paths.length === 0 ? /(?!)/ : new RegExp(`^(?:${beginnings.join('|')})`, 'i')
}

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

/** The address to go to after signing in is an address too. */
function withoutSecretsInside(name: string, value: string, before: RegExp): string {
  if (decode(name) !== 'return_to') return value
  const address = decode(value)
  if (address === undefined) return '…'
  const plain = withoutSecrets(address, before)
  return plain === address ? value : encodeURIComponent(plain).replaceAll(encodeURIComponent('…'), '…')
}

/** Letters, digits and slashes that a path writes with percent signs, as they are; the rest of it may be broken. */
function plainPath(path: string): string {
  return path.replace(/%([2-7][0-9a-f])/gi, (_match, code) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** A request's address without what must never reach a log. */
export function withoutSecrets(url: string, before: RegExp): string {
  const at = url.indexOf('?')
  const [path, query] = at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at)]
  const [beginning] = before.exec(plainPath(path)) ?? []
  const pairs = query
    .slice(1)
    .split('&')
    .map((pair) => {
      const [name = '', ...rest] = pair.split('=')
      if (rest.length === 0) return pair
      return `${name}=${isSecret(name) ? '…' : withoutSecretsInside(name, rest.join('='), before)}`
    })
  return `${beginning === undefined ? path : `${beginning}…`}${query.slice(0, 1)}${pairs.join('&')}`
}

/** The log of an HTTP service. Bodies and headers are not logged at all; addresses are stripped of their secrets. */
export function createRequestLog(log: Log, secretPaths: readonly string[]): Log {
  const before = beforeSecret(secretPaths)
  return log.child(
    {},
    {
      serializers: {
        req: ({ method, originalUrl, ip }: FastifyRequest) => ({
          method,
          url: withoutSecrets(originalUrl, before),
          ip,
        }),
        res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
      },
    },
  )
}
