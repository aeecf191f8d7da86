import type { Db } from '#platform/db/database.ts'
import { getAddresses } from '../queries.ts'
import { addressNotFound } from './errors.ts'
import type { CustomerAddressState } from './state.ts'

/** An address with the token of its customer. */
export type OwnedAddress = { token: string; address: CustomerAddressState }

export async function getAddress(db: Db, companyId: number, ref: string, id: string): Promise<OwnedAddress> {
  const { token, addresses } = await getAddresses(db, companyId, ref)
  const address = addresses.find((entry) => String(entry.id) === id)
  if (address === undefined) throw addressNotFound(id)
  return { token, address }
}
