import type { Forgetting } from '#people/customers/erasure.worker.ts'
import { forgetDeviceLicenses } from '#rights/device-licenses/forget.commands.ts'
import { forgetReviewer } from './commands.ts'

/** Deletes how a customer has used what a company sold, and takes the name off their reviews. */
export const forgetCustomer: Forgetting = {
  async atOnce(tx, customer, now) {
    await forgetDeviceLicenses.atOnce(tx, customer, now)
    await forgetReviewer(tx, customer)
  },
  aBatch: forgetDeviceLicenses.aBatch,
}
