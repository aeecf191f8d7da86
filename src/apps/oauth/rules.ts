import { knownScopes, type Scope } from './scopes.facts.ts'

/** The lifetime of an access token. */
export const ACCESS_TOKEN_SECONDS = 1800

/** Scopes are separated by commas in the API, and by spaces in RFC 6749. */
export function readScopes(text: string): Scope[] {
  return knownScopes(text.split(/[\s,]+/))
}

/** Only a user who may manage users can grant these scopes: an app could let other people in with them. */
export const ADMIN_SCOPES: readonly Scope[] = ['users', 'companies']

/** The scopes that a user can grant an app: requested, registered for the app, and allowed to the user. */
export function allowable(
  requested: readonly Scope[],
  registered: readonly string[],
  mayManageUsers: boolean,
): Scope[] {
  return requested
    .filter((scope) => registered.length === 0 || registered.includes(scope))
    .filter((scope) => mayManageUsers || !ADMIN_SCOPES.includes(scope))
}

/** The scopes that an app requests and does not get. */
export type Withheld = {
  /** The app is not registered for them, so nobody can grant them. */
  unregistered: Scope[]
  /** Only a user who may manage users can grant them. */
  forManagers: Scope[]
}

export function withheld(
  requested: readonly Scope[],
  registered: readonly string[],
  mayManageUsers: boolean,
): Withheld {
  const isRegistered = (scope: Scope) => registered.length === 0 || registered.includes(scope)
  const known = requested.filter(isRegistered)
  return {
    unregistered: requested.filter((scope) => !isRegistered(scope)),
    forManagers: known.filter((scope) => !mayManageUsers && ADMIN_SCOPES.includes(scope)),
  }
}

/**
 * Can this redirect URI be registered? It must be absolute, without a fragment (RFC 6749, 3.1.2), and use https unless
 * it stays on the machine or belongs to a native app (RFC 8252).
 */
export function isRedirectUri(text: string): boolean {
  if (!/^[\x21-\x22\x24-\x7e]{1,2000}$/.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  if (protocol === 'https:') return true
  if (protocol === 'http:') return /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  return /^[a-z][a-z0-9+-]*\.[a-z0-9+.-]+:$/.test(protocol)
}

/** Can an app have this client id? It stands in addresses as it is, and a command takes a leading hyphen for an option. */
export function isClientId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9.:_-]{0,99}$/.test(text)
}

/** Appends parameters to a redirect URI and keeps the query that it may have. */
export function withParameters(uri: string, parameters: Record<string, string | undefined>): string {
  const pairs = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const added = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  const mark = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&'
  return `${uri}${mark}${added}`
}

/** The target that a form may redirect to: the origin of a web address, or the scheme of a native app. */
export function formActionOf(uri: string): string {
  const { origin, protocol } = new URL(uri)
  return origin === 'null' ? protocol : origin
}
