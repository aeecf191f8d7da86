import type { Forgetting } from '#people/customers/erasure.worker.ts'
import { forgetReader } from '#rights/reading-licenses/forget.commands.ts'

/** Deletes the licenses of a customer's devices, with everything else about how the customer has used what was bought. */
export const forgetDeviceLicenses: Forgetting = {
  async atOnce(tx, customer, now) {
    await forgetReader.atOnce(tx, customer, now)
    await tx
      .deleteFrom('device_licenses')
      .where('company_id', '=', customer.companyId)
      .where('customer_id', '=', customer.customerId)
      .execute()
  },
  aBatch: forgetReader.aBatch,
}
