import type { Forgetting } from '#people/customers/erasure.worker.ts'
import { forgetDevices } from './devices/commands.ts'
import { forgetMemberships } from './memberships/usage.commands.ts'
import { forgetPositions } from './positions/commands.ts'
import { forgetUser } from './uses/commands.ts'

/** Deletes how a customer has used what a company sold. What was bought stays with the order. */
export const forgetUse: Forgetting = {
  async atOnce(tx, customer) {
    await forgetDevices(tx, customer)
    await forgetPositions(tx, customer)
    await forgetMemberships(tx, customer)
  },
  aBatch: forgetUser,
}
