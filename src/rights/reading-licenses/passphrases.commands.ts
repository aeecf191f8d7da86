import type { Tx } from '#platform/db/database.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { newPassphrase } from './passphrases.secrets.ts'

/** Gives a customer a passphrase, the same for everything from a company. One who has one keeps it. */
export async function givePassphrase(
  tx: Tx,
  vault: Vault,
  { companyId, customerId }: { companyId: number; customerId: number },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('reading_passphrases')
    .values({ company_id: companyId, customer_id: customerId, sealed: newPassphrase(vault), created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
