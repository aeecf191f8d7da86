import type { App } from '../state.ts'

/** A refresh token as it is when somebody wants to exchange it. */
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

/** Why a token is not exchanged. The words are for the audit: the answer is the same for all but the proof. */
export type Refusal =
  | 'unknown token'
  | 'token of another app'
  | 'permission was removed'
  | 'token was used already'
  | 'wrong redirect URI'
  | 'code verifier is missing or wrong'
  | 'wrong secret'

/**
 * RFC 6749, section 6, with the interface's "exchanged once", and RFC 7636. The order is the order in which a stranger may
 * learn things.
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

/** Is this one of the app's secrets, the current one or the one before while it is still good? */
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
