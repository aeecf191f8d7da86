import type { ForgetCustomer } from '#people/customers/commands.ts'
import { forgetDevices } from './devices/commands.ts'
import { forgetPositions } from './positions/commands.ts'

/** Deletes how a customer has used what a company sold. What was bought stays with the order. */
export const forgetUse: ForgetCustomer = async (tx, customer) => {
  await forgetDevices(tx, customer)
  await forgetPositions(tx, customer)
}
