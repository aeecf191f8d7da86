import { changeAddressOf, createAddress, deleteAddress } from '#people/customers/addresses/commands.ts'
import { changeOwnCustomer } from '#people/customers/commands.ts'
import type { CustomerSession } from '#people/customers/sessions/state.ts'
import type { Tx } from '#platform/db/database.ts'
import type { AddressForm, NameForm } from './rules.ts'

export async function changeOwnName(
  tx: Tx,
  { companyId, customerId }: CustomerSession,
  name: NameForm,
  now: Date,
): Promise<void> {
  await changeOwnCustomer(tx, { companyId }, String(customerId), (before) => ({ ...before, ...name }), now)
}

/** Adds an address of the customer, or changes the one with this id. */
export async function saveOwnAddress(
  tx: Tx,
  { companyId, customerId }: CustomerSession,
  id: string | undefined,
  input: AddressForm & { default?: true },
  now: Date,
): Promise<void> {
  if (id === undefined) await createAddress(tx, { companyId }, String(customerId), input, now)
  else await changeAddressOf(tx, { companyId }, String(customerId), id, input, now)
}

export function removeOwnAddress(
  tx: Tx,
  { companyId, customerId }: CustomerSession,
  id: string,
  now: Date,
): Promise<void> {
  return deleteAddress(tx, { companyId }, String(customerId), id, now)
}
