import type { Tx } from '#platform/db/database.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { newContentKey, openContentKey, sealContentKey } from './keys.secrets.ts'
import { findSealedKey } from './queries.ts'

/**
 * The key of something, which is made when it is first needed. One that was sealed with a secret that is lost is replaced: what is
 * encrypted on its way out needs no packing again.
 */
export async function takeContentKey(
  tx: Tx,
  vault: Vault,
  companyId: number,
  subject: string,
  now: Date,
): Promise<Buffer> {
  const found = await findSealedKey(tx, companyId, subject)
  const known = found === undefined ? undefined : openContentKey(vault, found)
  if (known !== undefined) return known
  const key = newContentKey()
  const sealed = sealContentKey(vault, key)
  const stored = await tx
    .insertInto('content_keys')
    .values({ company_id: companyId, subject, sealed, created_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'subject'])
        .doUpdateSet({ sealed, created_at: now })
        // Of two that make it at once, the first one wins.
        .where('content_keys.sealed', '=', found ?? Buffer.alloc(0)),
    )
    .returning('sealed')
    .executeTakeFirst()
  if (stored !== undefined) return key
  const other = await findSealedKey(tx, companyId, subject)
  const theirs = other === undefined ? undefined : openContentKey(vault, other)
  if (theirs === undefined) throw new Error(`the key of ${subject} cannot be opened`)
  return theirs
}

/** Deletes the key of something that is gone. */
export async function dropContentKey(tx: Tx, companyId: number, subject: string): Promise<void> {
  await tx.deleteFrom('content_keys').where('company_id', '=', companyId).where('subject', '=', subject).execute()
}
