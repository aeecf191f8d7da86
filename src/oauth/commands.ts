import { sql } from 'kysely'
import { record } from '#audit/commands.ts'
import { emit } from '#events/emit.ts'
import { randomToken, tokenHash } from '#platform/crypto.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Origin } from '#platform/origin.ts'
import type { Scope } from './scopes.ts'

/** The channel that tells every process that access was revoked. */
export const REVOKED_CHANNEL = 'licet_revoked'

/** Used refresh tokens are kept for this long. One that comes back later is treated as unknown. */
const REUSE_SECONDS = 90 * 86_400

export type Grant = { company_id: number; id: number }

export type NewGrant = { companyId: number; appId: number; userId: number; scopes: readonly Scope[] }

/** Creates a grant for each consent, so that revoking one token family leaves the others alone. */
export function createGrant(tx: Tx, { companyId, appId, userId, scopes }: NewGrant, now: Date): Promise<Grant> {
  return tx
    .insertInto('grants')
    .values({ company_id: companyId, app_id: appId, user_id: userId, scopes: [...scopes], created_at: now })
    .returning(['company_id', 'id'])
    .executeTakeFirstOrThrow()
}

export type NewToken = NewGrant & { lifetimeSeconds: number }

/** Lets an app act for a company and returns an access token, which is shown only once. */
export async function issueToken(tx: Tx, { lifetimeSeconds, ...permission }: NewToken, now: Date): Promise<string> {
  const grant = (await findGrant(tx, permission)) ?? (await createGrant(tx, permission, now))
  return addAccessToken(tx, grant, permission.scopes, lifetimeSeconds, now)
}

/** Returns the app's standing grant from a user, or creates it. */
function findGrant(tx: Tx, { companyId, appId, userId }: NewGrant): Promise<Grant | undefined> {
  return tx
    .selectFrom('grants')
    .select(['company_id', 'id'])
    .where('company_id', '=', companyId)
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function addAccessToken(
  tx: Tx,
  grant: Grant,
  scopes: readonly string[],
  lifetimeSeconds: number,
  now: Date,
): Promise<string> {
  const token = randomToken()
  await tx
    .insertInto('access_tokens')
    .values({
      token_hash: tokenHash(token),
      company_id: grant.company_id,
      grant_id: grant.id,
      scopes: [...scopes],
      issued_at: now,
      expires_at: new Date(now.getTime() + lifetimeSeconds * 1000),
    })
    .execute()
  return token
}

/** The values that the first refresh token of a grant, the `code`, is bound to. */
export type Binding = { codeChallenge: string | undefined; redirectUri: string }

export async function addRefreshToken(tx: Tx, grant: Grant, now: Date, binding?: Binding): Promise<string> {
  const token = randomToken()
  await tx
    .insertInto('refresh_tokens')
    .values({
      token_hash: tokenHash(token),
      company_id: grant.company_id,
      grant_id: grant.id,
      code_challenge: binding?.codeChallenge ?? null,
      redirect_uri: binding?.redirectUri ?? null,
      issued_at: now,
    })
    .execute()
  return token
}

/**
 * Revokes grants: their tokens stop working in every process at the commit. If an app has no grant left for the
 * company, it is uninstalled there.
 */
export async function revokeGrants(
  tx: Tx,
  companyId: number,
  which: { appId: number; grantId?: number },
  now: Date,
): Promise<number> {
  let revoked = tx
    .updateTable('grants')
    .set({ revoked_at: now })
    .where('company_id', '=', companyId)
    .where('app_id', '=', which.appId)
    .where('revoked_at', 'is', null)
  if (which.grantId !== undefined) revoked = revoked.where('id', '=', which.grantId)
  const ended = await revoked.returning('id').execute()
  if (ended.length === 0) return 0
  const ids = ended.map(({ id }) => id)
  await tx.deleteFrom('access_tokens').where('company_id', '=', companyId).where('grant_id', 'in', ids).execute()
  await announceRevocation(tx)
  const left = await tx
    .selectFrom('grants')
    .select('id')
    .where('company_id', '=', companyId)
    .where('app_id', '=', which.appId)
    .where('revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (left === undefined) await emit(tx, companyId, 'app/uninstalled', now, [{ type: 'app', id: String(which.appId) }])
  return ended.length
}

/** Every process clears its cache of callers as soon as this is committed. */
export async function announceRevocation(tx: Tx): Promise<void> {
  await sql`select pg_notify(${REVOKED_CHANNEL}, '')`.execute(tx)
}

export type Remover = { userId: number | null; origin: Origin }

/** Revokes all grants of an app for a company. */
export async function removePermission(
  tx: Tx,
  companyId: number,
  app: { id: number; name: string },
  { userId, origin }: Remover,
  now: Date,
): Promise<boolean> {
  const ended = await revokeGrants(tx, companyId, { appId: app.id }, now)
  if (ended === 0) return false
  const entry = { companyId, userId, appId: app.id, action: 'app permission removed', subject: app.name } as const
  await record(tx, entry, origin, now)
  return true
}

/** Deletes tokens that cannot be used any more. */
export async function deleteExpiredTokens(tx: Tx, now: Date): Promise<void> {
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
  await tx.deleteFrom('access_tokens').where('expires_at', '<', ago(86_400)).execute()
  await tx.deleteFrom('refresh_tokens').where('used_at', '<', ago(REUSE_SECONDS)).execute()
}
