import { ADMIN_SCOPES } from '../rules.ts'
import type { App } from '../state.ts'

/** A code that nobody has exchanged is refused after this: it was in the address bar and the history of a browser. */
export const CODE_SECONDS = 600

/** A refresh token at the time of its exchange, with its grant and the present state of the person who made the grant. */
export type Presented = {
  clientId: string
  issuedAt: Date
  usedAt: Date | null
  revokedAt: Date | null
  codeChallenge: string | null
  /** The first token of a grant, the `code`, has the redirect URI of the prompt; later ones have none. */
  redirectUri: string | null
  scopes: readonly string[]
  user: { isEnabled: boolean; mayManageUsers: boolean }
}

export type ExchangeRequest = {
  grantType: 'refresh_token' | 'authorization_code'
  token: string
  clientId: string
  verifier: string | undefined
  redirectUri: string | undefined
}

/** Why a token is not exchanged. The reason is for the audit log; only a wrong code verifier gets its own answer. */
export type Refusal =
  | 'unknown token'
  | 'token of another app'
  | 'permission was removed'
  | 'token was used already'
  | 'token was used a moment ago'
  | 'code expired'
  | 'user is disabled'
  | 'user lost a permission that a scope needs'
  | 'wrong redirect URI'
  | 'code verifier is missing or wrong'
  | 'code verifier without a challenge'
  | 'wrong secret'

/**
 * RFC 6749, sections 4.1.3 and 6, with "exchanged once" of the API, and RFC 7636 with RFC 9700, section 4.8.2. The
 * checks are ordered by how much their answer reveals to a stranger.
 */
export function refusalOf(
  token: Presented | undefined,
  request: ExchangeRequest,
  provesChallenge: (verifier: string, challenge: string) => boolean,
  now: Date,
): Refusal | undefined {
  if (token === undefined) return 'unknown token'
  if (token.clientId !== request.clientId) return 'token of another app'
  if (token.revokedAt !== null) return 'permission was removed'
  if (token.usedAt !== null) return reuseOf(token.usedAt, now)
  if (!token.user.isEnabled) return 'user is disabled'
  if (!token.user.mayManageUsers && ADMIN_SCOPES.some((scope) => token.scopes.includes(scope)))
    return 'user lost a permission that a scope needs'
  return token.redirectUri === null
    ? laterRefusal(request)
    : codeRefusal({ ...token, redirectUri: token.redirectUri }, request, provesChallenge, now)
}

/** Two pages of one client renew at once: a second use so soon is refused, and is no sign of theft. */
const RENEWAL_SECONDS = 60

function reuseOf(usedAt: Date, now: Date): Refusal {
  const isRenewal = now.getTime() - usedAt.getTime() <= RENEWAL_SECONDS * 1000
  return isRenewal ? 'token was used a moment ago' : 'token was used already'
}

/** A later refresh token is no code. */
function laterRefusal({ grantType }: ExchangeRequest): Refusal | undefined {
  return grantType === 'authorization_code' ? 'unknown token' : undefined
}

function codeRefusal(
  code: Presented & { redirectUri: string },
  { grantType, redirectUri, verifier }: ExchangeRequest,
  provesChallenge: (verifier: string, challenge: string) => boolean,
  now: Date,
): Refusal | undefined {
  if (now.getTime() >= code.issuedAt.getTime() + CODE_SECONDS * 1000) return 'code expired'
  // The flow of the API sends the code as a refresh token, without a redirect URI.
  const needsRedirectUri = grantType === 'authorization_code' || redirectUri !== undefined
  if (needsRedirectUri && redirectUri !== code.redirectUri) return 'wrong redirect URI'
  if (code.codeChallenge === null) return verifier === undefined ? undefined : 'code verifier without a challenge'
  return provesChallenge(verifier ?? '', code.codeChallenge) ? undefined : 'code verifier is missing or wrong'
}

/** Is this the app's current secret, or the previous one while that still works? */
export function isSecretOf(
  app: Pick<App, 'secret_hash' | 'previous_secret_hash' | 'previous_secret_until'>,
  secretHash: Buffer,
  now: Date,
  sameBytes: (one: Buffer, other: Buffer) => boolean,
): boolean {
  if (sameBytes(app.secret_hash, secretHash)) return true
  const { previous_secret_hash: previous, previous_secret_until: until } = app
  return previous !== null && until !== null && until > now && sameBytes(previous, secretHash)
}
