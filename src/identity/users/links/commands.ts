import { sql } from 'kysely'
import { deleteBatch } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'
import { randomToken, tokenHash } from '#platform/identity/crypto.ts'
import { type FoundLink, type LinkKind, type LinkOwner, linkExpiry, type NewLink } from './rules.ts'

/** Creates a link and returns its token, which is not stored. Earlier links of the kind for the user end. */
export async function createLink(tx: Tx, link: NewLink, now: Date): Promise<string> {
  const { kind, companyId, userId } = link
  // Without this lock, two requests at once would each leave the link of the other active.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} link of ${userId}`}, 0))`.execute(tx)
  if (companyId === null) await tx.deleteFrom('one_time_links').where('kind', '=', kind).execute()
  else await endLinks(tx, { companyId, userId }, kind)
  const token = randomToken()
  await tx
    .insertInto('one_time_links')
    .values({
      token_hash: tokenHash(token),
      kind,
      company_id: companyId,
      user_id: userId,
      created_at: now,
      expires_at: linkExpiry(kind, now),
    })
    .execute()
  return token
}

/** Uses a link and returns its owner; of many requests at once, one succeeds. */
export function useLink(tx: Tx, kind: LinkKind, token: string, now: Date): Promise<FoundLink | undefined> {
  return tx
    .updateTable('one_time_links')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash(token))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['company_id as companyId', 'user_id as userId'])
    .executeTakeFirst()
}

/** Ends the links of a user: all, or those of one kind. */
export async function endLinks(tx: Tx, { companyId, userId }: LinkOwner, kind?: LinkKind): Promise<void> {
  await tx
    .deleteFrom('one_time_links')
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId)
    .$call((links) => (kind === undefined ? links : links.where('kind', '=', kind)))
    .execute()
}

/** Deletes links that cannot be used any more. */
export function deleteOldLinks(tx: Tx, now: Date): Promise<number> {
  return deleteBatch(tx, 'one_time_links', 'expires_at', sql`expires_at <= ${now}`)
}
