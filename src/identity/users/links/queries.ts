import type { Db } from '#platform/db/database.ts'
import { tokenHash } from '#platform/identity/crypto.ts'
import type { FoundLink, LinkKind, LinkOwner } from './rules.ts'

/** The link with a token; undefined if it is unknown, used, ended or expired, which the answer does not tell apart. */
export function findLink(db: Db, kind: LinkKind, token: string, now: Date): Promise<FoundLink | undefined> {
  return db
    .selectFrom('one_time_links')
    .select(['company_id as companyId', 'user_id as userId'])
    .where('token_hash', '=', tokenHash(token))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** The user whom a link belongs to, if the link still works. */
export async function findLinkOwner(
  db: Db,
  kind: 'invitation' | 'reset',
  token: string,
  now: Date,
): Promise<LinkOwner | undefined> {
  const { companyId, userId } = (await findLink(db, kind, token, now)) ?? { companyId: null, userId: null }
  return companyId === null || userId === null ? undefined : { companyId, userId }
}
