import { randomToken, tokenHash } from '#platform/crypto.ts'
import type { Tx } from '#platform/db/database.ts'
import type { App } from './queries.ts'
import type { Scope } from './scopes.ts'

export type NewApp = { companyId: number; name: string; redirectUris: string[] }

/** Registers an app and answers its secret, which is shown this once. */
export async function createApp(
  tx: Tx,
  { companyId, name, redirectUris }: NewApp,
  now: Date,
): Promise<App & { client_secret: string }> {
  const clientSecret = randomToken()
  const app = await tx
    .insertInto('apps')
    .values({
      company_id: companyId,
      client_id: randomToken(18),
      secret_hash: tokenHash(clientSecret),
      name,
      redirect_uris: redirectUris,
      created_at: now,
      updated_at: now,
    })
    .returning(['id', 'company_id', 'client_id', 'name'])
    .executeTakeFirstOrThrow()
  return { ...app, client_secret: clientSecret }
}

export type NewToken = {
  companyId: number
  appId: number
  userId: number
  scopes: readonly Scope[]
  lifetimeSeconds: number
}

/** Lets an app act for a company and answers an access token, which is shown this once. */
export async function issueToken(
  tx: Tx,
  { companyId, appId, userId, scopes, lifetimeSeconds }: NewToken,
  now: Date,
): Promise<string> {
  const grant = await grantFor(tx, companyId, appId, userId, scopes, now)
  const token = randomToken()
  await tx
    .insertInto('access_tokens')
    .values({
      token_hash: tokenHash(token),
      company_id: companyId,
      grant_id: grant.id,
      scopes: [...scopes],
      issued_at: now,
      expires_at: new Date(now.getTime() + lifetimeSeconds * 1000),
    })
    .execute()
  return token
}

/** The app's standing permission for the company; one that has it already gets no second. */
async function grantFor(
  tx: Tx,
  companyId: number,
  appId: number,
  userId: number,
  scopes: readonly Scope[],
  now: Date,
): Promise<{ id: number }> {
  const existing = await tx
    .selectFrom('grants')
    .select('id')
    .where('company_id', '=', companyId)
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (existing !== undefined) return existing
  return tx
    .insertInto('grants')
    .values({ company_id: companyId, app_id: appId, user_id: userId, scopes: [...scopes], created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
}

/** Throws away access tokens that nobody can use any more. */
export async function deleteExpiredTokens(tx: Tx, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - 86_400_000)
  await tx.deleteFrom('access_tokens').where('expires_at', '<', dayAgo).execute()
}
