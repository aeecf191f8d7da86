import { OAuthError } from '../errors.ts'

type Sent = { url: string; body: unknown; headers: { 'content-type'?: string | undefined } }

const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i

export function notAForm(): OAuthError {
  return new OAuthError('invalid_request', 'the body must be a form (application/x-www-form-urlencoded)')
}

/**
 * Reads the parameters of a request from its query and its form. A parameter that is sent twice is ambiguous. Clients
 * that send everything in the query may announce an empty JSON body.
 */
export function readParameters({ url, body, headers }: Sent): Record<string, string> {
  const query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')
  const sent = Object.entries(Object(body))
  if (sent.length > 0 && !FORM.test(headers['content-type'] ?? '')) throw notAForm()
  const texts = sent.filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  const pairs = [...query, ...texts]
  if (new Set(pairs.map(([name]) => name)).size !== pairs.length)
    throw new OAuthError('invalid_request', 'a parameter is there twice')
  return Object.fromEntries(pairs)
}

/**
 * Reads client id and secret from the header (RFC 6749, 2.3.1), in which each is encoded separately. Many clients encode neither,
 * and a client id may have colons. A secret never has one, so the last colon is what divides them.
 */
export function readBasic(header: string | undefined): { clientId: string; secret: string } | undefined {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header ?? '') ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const at = text.lastIndexOf(':')
  if (at === -1) return undefined
  try {
    const [clientId, secret] = [text.slice(0, at), text.slice(at + 1)].map((part) => decodeURIComponent(part))
    return { clientId: clientId ?? '', secret: secret ?? '' }
  } catch {
    throw new OAuthError('invalid_request', 'the Authorization header cannot be read')
  }
}
