import { ADDRESSES_MAX } from '#people/customers/addresses/schema.ts'
import type { CustomerAddressState } from '#people/customers/addresses/state.ts'
import { getAddresses } from '#people/customers/queries.ts'
import type { CustomerSession } from '#people/customers/sessions/state.ts'
import type { Db } from '#platform/db/database.ts'
import { shopPageNotFound } from '#shop/site/errors.ts'

/** An address of the customer; undefined for the new one that `new` stands for. */
export async function getOwnAddress(
  db: Db,
  { companyId, customerId }: CustomerSession,
  id: string,
): Promise<CustomerAddressState | undefined> {
  const { addresses } = await getAddresses(db, companyId, String(customerId))
  if (id === 'new' && addresses.length < ADDRESSES_MAX) return undefined
  const known = addresses.find((address) => String(address.id) === id)
  if (known === undefined) throw shopPageNotFound()
  return known
}
