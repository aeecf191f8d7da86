import { record } from '#history/audit/commands.ts'
import { addressLimit, takeAttempt } from '#identity/attempts/guard.ts'
import {
  addAccessToken,
  addRefreshToken,
  endLapsedCodes,
  type Grant,
  markUsed,
  revokeAccessToken,
  revokeGrants,
} from '#identity/grants/commands.ts'
import { findUser } from '#identity/users/queries.ts'
import { managesUsers } from '#identity/users/rules.ts'
import type { Tx } from '#platform/db/database.ts'
import { tokenHash } from '#platform/identity/crypto.ts'
import type { Origin } from '#platform/identity/origin.ts'
import { provesChallenge } from '../pkce.secrets.ts'
import { findHolder } from '../queries.ts'
import { ACCESS_TOKEN_SECONDS } from '../rules.ts'
import type { App } from '../state.ts'
import type { IssuedTokens } from './extensions.commands.ts'
import { CODE_SECONDS, type ExchangeRequest, type Refusal, refusalOf } from './rules.ts'

export type Exchange =
  | IssuedTokens
  /** Recorded in the same transaction, and the grant is revoked if the token had been used a while before. */
  | { kind: 'refused'; refusal: Refusal }

/** Exchanges a refresh token for an access token and the next refresh token. Of many requests at once, one succeeds. */
export async function exchangeToken(tx: Tx, request: ExchangeRequest, origin: Origin, now: Date): Promise<Exchange> {
  const token = await lockRefreshToken(tx, request.token)
  // The giver is read after the grant is locked: disabling one revokes the grant, and one of the two comes first.
  const giver = token === undefined ? undefined : await findGiver(tx, token)
  const refusal = refusalOf(token && { ...token, user: giver ?? NOBODY }, request, provesChallenge, now)
  if (refusal !== undefined || token === undefined || giver === undefined) {
    if (token !== undefined && refusal === 'token was used already')
      await revokeGrants(tx, token.companyId, { appId: token.appId, grantId: token.grantId }, now)
    await putRefusal(tx, token, refusal ?? 'unknown token', origin, now)
    return { kind: 'refused', refusal: refusal ?? 'unknown token' }
  }
  const { companyId, grantId, scopes } = token
  await markUsed(tx, companyId, request.token, now)
  const issued = await addTokens(tx, { company_id: companyId, id: grantId }, scopes, now)
  // Every customer who plays something renews a token twice an hour: those would bury the rest of the audit log.
  if (token.userId !== null) {
    const entry = { companyId, userId: token.userId, appId: token.appId, action: 'token exchanged' } as const
    await record(tx, { ...entry, subject: token.appName }, origin, now)
  }
  return { ...issued, email: giver.email, customerToken: giver.customerToken }
}

/** Adds an access token to a grant, and the refresh token for the next one. */
export async function addTokens(
  tx: Tx,
  grant: Grant,
  scopes: string[],
  now: Date,
): Promise<Omit<IssuedTokens, 'email'>> {
  const accessToken = await addAccessToken(tx, grant, scopes, ACCESS_TOKEN_SECONDS, now)
  const refreshToken = await addRefreshToken(tx, grant, now)
  return { kind: 'tokens', accessToken, refreshToken, scopes }
}

/** Ends the grants of codes that are too old to be exchanged. */
export function endUnusedCodes(tx: Tx, now: Date): Promise<void> {
  return endLapsedCodes(tx, new Date(now.getTime() - CODE_SECONDS * 1000), now)
}

type GrantGiver = { isEnabled: boolean; mayManageUsers: boolean; email: string; customerToken?: string }

/** A giver who no longer exists is like a disabled one. */
const NOBODY = { isEnabled: false, mayManageUsers: false }

/** The present state of the user or the customer who made a grant. */
async function findGiver(tx: Tx, { companyId, userId, customerId }: Held): Promise<GrantGiver | undefined> {
  if (userId !== null) {
    const user = await findUser(tx, userId)
    return user && { isEnabled: user.state === 'enabled', mayManageUsers: managesUsers(user), email: user.email }
  }
  const customer = await findHolder(tx, { companyId, customerId })
  return customer && { ...customer, mayManageUsers: false, customerToken: customer.token }
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
      'grants.customer_id as customerId',
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
