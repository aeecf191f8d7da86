import type { Forgetting } from '#people/customers/erasure.worker.ts'
import { forgetUse } from '#rights/entitlements/forget.commands.ts'

/** Deletes the licenses for reading apps of a customer, and the passphrase, with how the customer has used what was bought. */
export const forgetReader: Forgetting = {
  async atOnce(tx, customer, now) {
    await forgetUse.atOnce(tx, customer, now)
    for (const table of ['reading_licenses', 'reading_passphrases'] as const)
      await tx
        .deleteFrom(table)
        .where('company_id', '=', customer.companyId)
        .where('customer_id', '=', customer.customerId)
        .execute()
  },
  aBatch: forgetUse.aBatch,
}
