import { tokenHash } from '#platform/crypto.ts'
import type { Db } from '#platform/db/database.ts'
import type { LinkKind, LinkOwner } from './rules.ts'

/** The owner of a link; undefined if it is unknown, used, ended or expired, which the answer does not tell apart. */
export async function findLink<Kind extends LinkKind>(
  db: Db,
  kind: Kind,
  token: string,
  now: Date,
): Promise<LinkOwner<Kind> | undefined> {
  const link = await db
    .selectFrom('one_time_links')
    .select(['company_id as companyId', 'user_id as userId'])
    .where('token_hash', '=', tokenHash(token))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return link as LinkOwner<Kind> | undefined
}
