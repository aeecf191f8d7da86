import type { Forgetting } from '#people/customers/erasure.worker.ts'
import { forgetUse } from '#rights/entitlements/forget.commands.ts'
import { forgetReviewer } from './commands.ts'

/** Deletes how a customer has used what a company sold, and takes the name off their reviews. */
export const forgetCustomer: Forgetting = {
  async atOnce(tx, customer) {
    await forgetUse.atOnce(tx, customer)
    await forgetReviewer(tx, customer)
  },
  aBatch: forgetUse.aBatch,
}
