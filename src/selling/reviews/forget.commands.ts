import type { Forgetting } from '#people/customers/erasure.worker.ts'
import { forgetReader } from '#rights/reading-licenses/forget.commands.ts'
import { forgetReviewer } from './commands.ts'

/** Deletes how a customer has used what a company sold, and takes the name off their reviews. */
export const forgetCustomer: Forgetting = {
  async atOnce(tx, customer, now) {
    await forgetReader.atOnce(tx, customer, now)
    await forgetReviewer(tx, customer)
  },
  aBatch: forgetReader.aBatch,
}
