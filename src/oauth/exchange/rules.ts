import type { App } from '../state.ts'

/** A refresh token at the time of its exchange. */
export type Presented = {
  clientId: string
  usedAt: Date | null
  revokedAt: Date | null
  codeChallenge: string | null
  redirectUri: string | null
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
  | 'wrong redirect URI'
  | 'code verifier is missing or wrong'
  | 'wrong secret'

/**
 * RFC 6749, section 6, with "exchanged once" of the API, and RFC 7636. The checks are ordered by how much their answer
 * reveals to a stranger.
 */
export function refusalOf(
  token: Presented | undefined,
  request: ExchangeRequest,
  provesChallenge: (verifier: string, challenge: string) => boolean,
): Refusal | undefined {
  if (token === undefined) return 'unknown token'
  if (token.clientId !== request.clientId) return 'token of another app'
  if (token.revokedAt !== null) return 'permission was removed'
  if (token.usedAt !== null) return 'token was used already'
  if (request.grantType === 'authorization_code' && token.redirectUri === null) return 'unknown token'
  if (request.redirectUri !== undefined && token.redirectUri !== null && request.redirectUri !== token.redirectUri)
    return 'wrong redirect URI'
  if (token.codeChallenge !== null && !provesChallenge(request.verifier ?? '', token.codeChallenge))
    return 'code verifier is missing or wrong'
  return undefined
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
