import { sql } from 'kysely'
import { record } from '#history/audit/commands.ts'
import { emit } from '#history/events/emit.commands.ts'
import { deleteBatch } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'
import { randomToken, tokenHash } from '#platform/identity/crypto.ts'
import type { Origin } from '#platform/identity/origin.ts'

/** The channel that tells every process that access was revoked. */
export const REVOKED_CHANNEL = 'licet_revoked'

/** Used refresh tokens are kept for this long. One that comes back later is treated as unknown. */
const REUSE_SECONDS = 90 * 86_400

export type Grant = { company_id: number; id: number }

/** A user lets an app act for the company; a customer lets it act for that customer alone. */
export type Giver = { userId: number; customerId?: null } | { userId: null; customerId: number }

export type NewGrant = { companyId: number; appId: number; scopes: readonly string[] } & Giver

/**
 * Creates a grant for each consent, so that revoking one token family leaves the others alone. An app that a company had removed
 * is back with it, which is an update of the app.
 */
export async function createGrant(tx: Tx, grant: NewGrant, now: Date): Promise<Grant> {
  const isBack = grant.userId !== null && (await wasRemoved(tx, grant))
  const created = await tx
    .insertInto('grants')
    .values({
      company_id: grant.companyId,
      app_id: grant.appId,
      user_id: grant.userId,
      customer_id: grant.customerId ?? null,
      scopes: [...grant.scopes],
      created_at: now,
    })
    .returning(['company_id', 'id'])
    .executeTakeFirstOrThrow()
  if (isBack) await emit(tx, grant.companyId, 'app/update', now, [{ type: 'app', id: String(grant.appId) }])
  return created
}

/** Did the company have the app once, and has no user's grant for it now? */
async function wasRemoved(tx: Tx, { companyId, appId }: NewGrant): Promise<boolean> {
  const latest = await tx
    .selectFrom('grants')
    .select('revoked_at')
    .where('company_id', '=', companyId)
    .where('app_id', '=', appId)
    .where('customer_id', 'is', null)
    .orderBy(sql`revoked_at is null`, 'desc')
    .limit(1)
    .executeTakeFirst()
  return latest !== undefined && latest.revoked_at !== null
}

export type NewToken = NewGrant & { lifetimeSeconds: number }

/** Lets an app act for a company and returns an access token, which is shown only once. */
export async function issueToken(tx: Tx, { lifetimeSeconds, ...permission }: NewToken, now: Date): Promise<string> {
  const grant = (await findGrant(tx, permission)) ?? (await createGrant(tx, permission, now))
  return addAccessToken(tx, grant, permission.scopes, lifetimeSeconds, now)
}

/** The app's standing grant from a user or a customer. */
function findGrant(tx: Tx, { companyId, appId, userId, customerId }: NewGrant): Promise<Grant | undefined> {
  const standing = tx
    .selectFrom('grants')
    .select(['company_id', 'id'])
    .where('company_id', '=', companyId)
    .where('app_id', '=', appId)
    .where('revoked_at', 'is', null)
  return (userId === null ? standing.where('customer_id', '=', customerId) : standing.where('user_id', '=', userId))
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

/** A used refresh token is kept, so that its second use is noticed. */
export async function markUsed(tx: Tx, companyId: number, token: string, now: Date): Promise<void> {
  await tx
    .updateTable('refresh_tokens')
    .set({ used_at: now })
    .where('company_id', '=', companyId)
    .where('token_hash', '=', tokenHash(token))
    .execute()
}

/** Ends one access token in every process. */
export async function revokeAccessToken(tx: Tx, companyId: number, token: string): Promise<void> {
  await tx
    .deleteFrom('access_tokens')
    .where('company_id', '=', companyId)
    .where('token_hash', '=', tokenHash(token))
    .execute()
  await announceRevocation(tx)
}

/**
 * Revokes grants: their tokens stop working in every process at the commit. If no user's grant is left for an app, it is
 * uninstalled in the company. Grants of customers do not install it.
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
  const ended = await revoked.returning(['id', 'customer_id']).execute()
  if (ended.length === 0) return 0
  const ids = ended.map(({ id }) => id)
  await tx.deleteFrom('access_tokens').where('company_id', '=', companyId).where('grant_id', 'in', ids).execute()
  await announceRevocation(tx)
  if (ended.some(({ customer_id }) => customer_id === null)) await uninstallIfUnused(tx, companyId, which.appId, now)
  return ended.length
}

/**
 * Revokes every grant of a customer, in every company: the customer is disabled, or has a new password. Lock the account
 * of the customer first.
 */
export async function revokeGrantsOfCustomer(tx: Tx, customerId: number, now: Date): Promise<void> {
  const ended = await tx
    .updateTable('grants')
    .set({ revoked_at: now })
    .where('customer_id', '=', customerId)
    .where('revoked_at', 'is', null)
    .returning(['company_id', 'id'])
    .execute()
  for (const grant of ended) await deleteAccessTokens(tx, grant)
  if (ended.length > 0) await announceRevocation(tx)
}

/** Deletes the grants of a customer whose relation to the company ends. Lock the account of the customer first. */
export async function deleteGrantsOfCustomer(tx: Tx, companyId: number, customerId: number): Promise<void> {
  const ended = await tx
    .selectFrom('grants')
    .select(['company_id', 'id'])
    .where('company_id', '=', companyId)
    .where('customer_id', '=', customerId)
    // An exchange that is under way adds tokens to its grant: it is finished before they are deleted.
    .forUpdate()
    .execute()
  for (const grant of ended) {
    await deleteAccessTokens(tx, grant)
    await tx
      .deleteFrom('refresh_tokens')
      .where('company_id', '=', grant.company_id)
      .where('grant_id', '=', grant.id)
      .execute()
    await tx.deleteFrom('grants').where('company_id', '=', companyId).where('id', '=', grant.id).execute()
  }
  if (ended.length > 0) await announceRevocation(tx)
}

async function deleteAccessTokens(tx: Tx, { company_id, id }: Grant): Promise<void> {
  await tx.deleteFrom('access_tokens').where('company_id', '=', company_id).where('grant_id', '=', id).execute()
}

async function uninstallIfUnused(tx: Tx, companyId: number, appId: number, now: Date): Promise<void> {
  const left = await tx
    .selectFrom('grants')
    .select('id')
    .where('company_id', '=', companyId)
    .where('app_id', '=', appId)
    .where('customer_id', 'is', null)
    .where('revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (left === undefined) await emit(tx, companyId, 'app/uninstalled', now, [{ type: 'app', id: String(appId) }])
}

/**
 * Revokes every grant that a user made, in every company: a user of a partner makes grants for its associates. Each
 * app is recorded once for each company.
 */
export async function revokeGrantsOfUser(tx: Tx, userId: number, actor: Actor, now: Date): Promise<void> {
  const granted = await tx
    .selectFrom('grants')
    .innerJoin('apps', 'apps.id', 'grants.app_id')
    .select(['grants.company_id as companyId', 'grants.id', 'apps.id as appId', 'apps.name'])
    .where('grants.user_id', '=', userId)
    .where('grants.revoked_at', 'is', null)
    // Two users who are disabled at once may have allowed the same apps: the same order prevents a deadlock.
    .orderBy('grants.company_id')
    .orderBy('grants.id')
    .execute()
  const recorded = new Set<string>()
  for (const { companyId, id, appId, name } of granted) {
    const ended = await revokeGrants(tx, companyId, { appId, grantId: id }, now)
    const key = `${companyId} ${appId}`
    if (ended === 0 || recorded.has(key)) continue
    recorded.add(key)
    await recordRemoval(tx, companyId, { id: appId, name }, actor, now)
  }
}

/** Every process clears its cache of callers as soon as this is committed. */
export async function announceRevocation(tx: Tx): Promise<void> {
  await sql`select pg_notify(${REVOKED_CHANNEL}, '')`.execute(tx)
}

/** The user who ends a permission, through an app or on a page, and the origin of the request. */
export type Actor = { userId: number | null; origin: Origin }

/** Revokes all grants of an app for a company. */
export async function removePermission(
  tx: Tx,
  companyId: number,
  app: { id: number; name: string },
  actor: Actor,
  now: Date,
): Promise<boolean> {
  const ended = await revokeGrants(tx, companyId, { appId: app.id }, now)
  if (ended === 0) return false
  await recordRemoval(tx, companyId, app, actor, now)
  return true
}

function recordRemoval(
  tx: Tx,
  companyId: number,
  app: { id: number; name: string },
  { userId, origin }: Actor,
  now: Date,
): Promise<void> {
  const entry = { companyId, userId, appId: app.id, action: 'app permission removed', subject: app.name } as const
  return record(tx, entry, origin, now)
}

/** Many codes may have lapsed after a flood of prompts: the next run takes the rest. */
const LAPSED_MAX = 1000

/** Ends the grants whose code was issued before a time and never exchanged: nothing can use them any more. */
export async function endLapsedCodes(tx: Tx, issuedBefore: Date, now: Date): Promise<void> {
  const lapsed = await tx
    .selectFrom('refresh_tokens')
    .innerJoin('grants', (join) =>
      join
        .onRef('grants.company_id', '=', 'refresh_tokens.company_id')
        .onRef('grants.id', '=', 'refresh_tokens.grant_id'),
    )
    .select(['refresh_tokens.token_hash', 'grants.company_id', 'grants.id', 'grants.app_id'])
    .where('refresh_tokens.redirect_uri', 'is not', null)
    .where('refresh_tokens.used_at', 'is', null)
    .where('refresh_tokens.issued_at', '<', issuedBefore)
    .limit(LAPSED_MAX)
    .forUpdate(['refresh_tokens', 'grants'])
    .skipLocked()
    .execute()
  for (const { company_id, id, app_id, token_hash } of lapsed) {
    await revokeGrants(tx, company_id, { appId: app_id, grantId: id }, now)
    await tx
      .deleteFrom('refresh_tokens')
      .where('company_id', '=', company_id)
      .where('token_hash', '=', token_hash)
      .execute()
  }
}

/** Deletes a batch of tokens that cannot be used any more, and returns how many. */
export async function deleteExpiredTokens(tx: Tx, now: Date): Promise<number> {
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
  return (
    (await deleteBatch(tx, 'access_tokens', 'expires_at', sql`expires_at < ${ago(86_400)}`)) +
    (await deleteBatch(tx, 'refresh_tokens', 'used_at', sql`used_at < ${ago(REUSE_SECONDS)}`))
  )
}
