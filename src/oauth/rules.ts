import { knownScopes, type Scope } from './scopes.ts'

/** How long an access token is good for. */
export const ACCESS_TOKEN_SECONDS = 1800

/** Comma-separated, as the interface says; blanks are RFC 6749's. */
export function readScopes(text: string): Scope[] {
  return knownScopes(text.split(/[\s,]+/))
}

/** Scopes through which others could be let in need somebody who may let others in. */
const KEYS_TO_THE_HOUSE: readonly Scope[] = ['users', 'companies']

/** What a person can allow an app: what it asks for, of what it was registered for, as far as the person may. */
export function allowable(asked: readonly Scope[], registered: readonly string[], mayLetIn: boolean): Scope[] {
  return asked
    .filter((scope) => registered.length === 0 || registered.includes(scope))
    .filter((scope) => mayLetIn || !KEYS_TO_THE_HOUSE.includes(scope))
}

/**
 * A redirect URI that can be registered: whole, without a fragment (RFC 6749, 3.1.2), and encrypted unless it stays on the
 * machine or belongs to an app on a device (RFC 8252).
 */
export function isRedirectUri(text: string): boolean {
  if (!/^[\x21-\x22\x24-\x7e]{1,2000}$/.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  if (protocol === 'https:') return true
  if (protocol === 'http:') return /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  return /^[a-z][a-z0-9+-]*\.[a-z0-9+.-]+:$/.test(protocol)
}

/** Appends to a redirect URI, which may have a query of its own that stays as it is. */
export function withParameters(uri: string, parameters: Record<string, string | undefined>): string {
  const pairs = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const added = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  const mark = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&'
  return `${uri}${mark}${added}`
}

/** Where a form may be sent on to: the origin of a web address, the scheme of an app's own. */
export function formActionOf(uri: string): string {
  const { origin, protocol } = new URL(uri)
  return origin === 'null' ? protocol : origin
}
