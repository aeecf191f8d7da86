import { randomCapitals } from '#platform/crypto.ts'
import type { Tx } from '#platform/db/database.ts'

/** Adds a person who runs a company's shop. The hash is made before the transaction, because that is slow. */
export async function createUser(
  tx: Tx,
  user: { companyId: number; email: string; passwordHash: string | null },
  now: Date,
): Promise<{ id: number }> {
  return tx
    .insertInto('users')
    .values({
      company_id: user.companyId,
      email: user.email,
      password_hash: user.passwordHash,
      token: randomCapitals(16),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}
