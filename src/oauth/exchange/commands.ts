import { record } from '#audit/commands.ts'
import {
  addAccessToken,
  addRefreshToken,
  endLapsedCodes,
  markUsed,
  revokeAccessToken,
  revokeGrants,
} from '#grants/commands.ts'
import { tokenHash } from '#platform/crypto.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Origin } from '#platform/origin.ts'
import { addressLimit, takeAttempt } from '#sign-in/limits/commands.ts'
import { findUser } from '#users/queries.ts'
import { managesUsers } from '#users/rules.ts'
import type { UserState } from '#users/state.ts'
import { provesChallenge } from '../pkce.ts'
import { ACCESS_TOKEN_SECONDS } from '../rules.ts'
import type { App } from '../state.ts'
import { CODE_SECONDS, type ExchangeRequest, type Refusal, refusalOf } from './rules.ts'

export type Exchange =
  | { kind: 'tokens'; accessToken: string; refreshToken: string; scopes: string[]; email: string }
  /** Recorded in the same transaction, and the grant is revoked if the token had been used a while before. */
  | { kind: 'refused'; refusal: Refusal }

/** Exchanges a refresh token for an access token and the next refresh token. Of many requests at once, one succeeds. */
export async function exchangeToken(tx: Tx, request: ExchangeRequest, origin: Origin, now: Date): Promise<Exchange> {
  const token = await lockRefreshToken(tx, request.token)
  // The user is read after the grant is locked: disabling a user revokes the grant, and one of the two comes first.
  const user = token === undefined ? undefined : await findUser(tx, token.userId)
  const refusal = refusalOf(token && { ...token, user: authorityOf(user) }, request, provesChallenge, now)
  if (refusal !== undefined || token === undefined || user === undefined) {
    if (token !== undefined && refusal === 'token was used already')
      await revokeGrants(tx, token.companyId, { appId: token.appId, grantId: token.grantId }, now)
    await putRefusal(tx, token, refusal ?? 'unknown token', origin, now)
    return { kind: 'refused', refusal: refusal ?? 'unknown token' }
  }
  const { companyId, grantId, scopes } = token
  await markUsed(tx, companyId, request.token, now)
  const grant = { company_id: companyId, id: grantId }
  const accessToken = await addAccessToken(tx, grant, scopes, ACCESS_TOKEN_SECONDS, now)
  const refreshToken = await addRefreshToken(tx, grant, now)
  const entry = { companyId, userId: token.userId, appId: token.appId, action: 'token exchanged' } as const
  await record(tx, { ...entry, subject: token.appName }, origin, now)
  return { kind: 'tokens', accessToken, refreshToken, scopes, email: user.email }
}

/** Ends the grants of codes that are too old to be exchanged. */
export function endUnusedCodes(tx: Tx, now: Date): Promise<void> {
  return endLapsedCodes(tx, new Date(now.getTime() - CODE_SECONDS * 1000), now)
}

/** The present state of the user who made a grant; a user who no longer exists is like a disabled one. */
function authorityOf(user: UserState | undefined) {
  return { isEnabled: user?.state === 'enabled', mayManageUsers: user !== undefined && managesUsers(user) }
}

type Held = NonNullable<Awaited<ReturnType<typeof lockRefreshToken>>>

/** Reads the token with its grant, and locks both until the transaction ends. */
function lockRefreshToken(tx: Tx, token: string) {
  return tx
    .selectFrom('refresh_tokens')
    .innerJoin('grants', (join) =>
      join
        .onRef('grants.company_id', '=', 'refresh_tokens.company_id')
        .onRef('grants.id', '=', 'refresh_tokens.grant_id'),
    )
    .innerJoin('apps', 'apps.id', 'grants.app_id')
    .select([
      'refresh_tokens.company_id as companyId',
      'refresh_tokens.grant_id as grantId',
      'refresh_tokens.issued_at as issuedAt',
      'refresh_tokens.used_at as usedAt',
      'refresh_tokens.code_challenge as codeChallenge',
      'refresh_tokens.redirect_uri as redirectUri',
      'grants.app_id as appId',
      'grants.user_id as userId',
      'grants.scopes',
      'grants.revoked_at as revokedAt',
      'apps.client_id as clientId',
      'apps.name as appName',
    ])
    .where('refresh_tokens.token_hash', '=', tokenHash(token))
    .forUpdate(['refresh_tokens', 'grants'])
    .executeTakeFirst()
}

/** Writes an audit entry, unless the address has had so many refusals that they would flood the audit log. */
async function putRefusal(
  tx: Tx,
  token: (Pick<Held, 'companyId' | 'appId' | 'appName'> & { userId: number | null }) | undefined,
  refusal: Refusal,
  origin: Origin,
  now: Date,
): Promise<void> {
  if ((await takeAttempt(tx, [addressLimit(origin.address, 'exchange')], now)) > 0) return
  const known = { companyId: token?.companyId ?? null, userId: token?.userId ?? null, appId: token?.appId ?? null }
  const subject = token === undefined ? refusal : `${token.appName}: ${refusal}`
  await record(tx, { ...known, action: 'token exchange refused', subject }, origin, now)
}

/** Records that a request used an app's client id without its secret. */
export function refuseSecret(tx: Tx, app: App, origin: Origin, now: Date): Promise<void> {
  const known = { companyId: app.company_id, userId: null, appId: app.id, appName: app.name }
  return putRefusal(tx, known, 'wrong secret', origin, now)
}

/**
 * RFC 7009: revoking a refresh token revokes the whole grant; an access token is revoked alone. A token that is unknown
 * or belongs to another app changes nothing, and the answer does not tell the difference.
 */
export async function revokeToken(tx: Tx, token: string, clientId: string, origin: Origin, now: Date): Promise<void> {
  const held = await lockRefreshToken(tx, token)
  if (held !== undefined) {
    if (held.clientId !== clientId || held.revokedAt !== null) return
    await revokeGrants(tx, held.companyId, { appId: held.appId, grantId: held.grantId }, now)
    return putRevocation(tx, held, origin, now)
  }
  const deleted = await deleteAccessToken(tx, token, clientId)
  if (deleted !== undefined) await putRevocation(tx, deleted, origin, now)
}

/** Revokes one access token, if it belongs to the app. */
async function deleteAccessToken(tx: Tx, token: string, clientId: string): Promise<Revoked | undefined> {
  const held = await tx
    .selectFrom('access_tokens')
    .innerJoin('grants', (join) =>
      join
        .onRef('grants.company_id', '=', 'access_tokens.company_id')
        .onRef('grants.id', '=', 'access_tokens.grant_id'),
    )
    .innerJoin('apps', 'apps.id', 'grants.app_id')
    .select(['grants.company_id as companyId', 'grants.user_id as userId', 'apps.id as appId', 'apps.name as appName'])
    .where('access_tokens.token_hash', '=', tokenHash(token))
    .where('apps.client_id', '=', clientId)
    .executeTakeFirst()
  if (held === undefined) return undefined
  await revokeAccessToken(tx, held.companyId, token)
  return held
}

type Revoked = Pick<Held, 'companyId' | 'userId' | 'appId' | 'appName'>

function putRevocation(tx: Tx, { companyId, userId, appId, appName }: Revoked, origin: Origin, now: Date) {
  return record(tx, { companyId, userId, appId, action: 'token revoked', subject: appName }, origin, now)
}
