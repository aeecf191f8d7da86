import { OAuthError } from '../errors.ts'

/** Reads the parameters of a request from its query and its body. A parameter that is sent twice is ambiguous. */
export function readParameters(url: string, body: unknown): Record<string, string> {
  const query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')
  const sent = typeof body === 'object' && body !== null ? Object.entries(body) : []
  const texts = sent.filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  const pairs = [...query, ...texts]
  if (new Set(pairs.map(([name]) => name)).size !== pairs.length)
    throw new OAuthError('invalid_request', 'a parameter is there twice')
  return Object.fromEntries(pairs)
}

/** Reads client id and secret from the header (RFC 6749, 2.3.1), in which each is encoded separately. */
export function readBasic(header: string | undefined): { clientId: string; secret: string } | undefined {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header ?? '') ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const at = text.indexOf(':')
  if (at === -1) return undefined
  try {
    const [clientId, secret] = [text.slice(0, at), text.slice(at + 1)].map((part) => decodeURIComponent(part))
    return { clientId: clientId ?? '', secret: secret ?? '' }
  } catch {
    throw new OAuthError('invalid_request', 'the Authorization header can not be read')
  }
}
