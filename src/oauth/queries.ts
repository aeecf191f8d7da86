import type { Caller } from '#platform/caller.ts'
import { tokenHash } from '#platform/crypto.ts'
import type { Db } from '#platform/db/database.ts'

/** Who a token stands for; undefined if it is unknown or its grant was revoked. */
export async function findCaller(db: Db, token: string): Promise<Caller | undefined> {
  const row = await db
    .selectFrom('access_tokens')
    .innerJoin('grants', (join) =>
      join
        .onRef('grants.company_id', '=', 'access_tokens.company_id')
        .onRef('grants.id', '=', 'access_tokens.grant_id'),
    )
    .innerJoin('apps', 'apps.id', 'grants.app_id')
    .select([
      'access_tokens.company_id',
      'access_tokens.scopes',
      'access_tokens.expires_at',
      'grants.user_id',
      'grants.app_id',
      'apps.client_id',
    ])
    .where('access_tokens.token_hash', '=', tokenHash(token))
    .where('grants.revoked_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    companyId: row.company_id,
    appId: row.app_id,
    userId: row.user_id,
    clientId: row.client_id,
    scopes: new Set(row.scopes),
    expiresAt: row.expires_at,
  }
}

export type App = { id: number; company_id: number; client_id: string; name: string }

export function findApp(db: Db, clientId: string): Promise<App | undefined> {
  return db
    .selectFrom('apps')
    .select(['id', 'company_id', 'client_id', 'name'])
    .where('client_id', '=', clientId)
    .executeTakeFirst()
}

/** A company's own app of this name; the oldest, should there be several. */
export function findOwnApp(db: Db, companyId: number, name: string): Promise<App | undefined> {
  return db
    .selectFrom('apps')
    .select(['id', 'company_id', 'client_id', 'name'])
    .where('company_id', '=', companyId)
    .where('name', '=', name)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}
