import type { Db } from '#platform/db/database.ts'
import { getCustomerDocument } from '../queries.ts'
import { addressNotFound } from './errors.ts'
import type { CustomerAddress } from './schema.ts'

/** The addresses as the customer's document has them. */
export async function getAddresses(db: Db, companyId: number, ref: string): Promise<CustomerAddress[]> {
  return (JSON.parse(await getCustomerDocument(db, companyId, ref)) as { addresses: CustomerAddress[] }).addresses
}

export async function getAddress(db: Db, companyId: number, ref: string, id: string): Promise<CustomerAddress> {
  const address = (await getAddresses(db, companyId, ref)).find((entry) => String(entry.id) === id)
  if (address === undefined) throw addressNotFound(id)
  return address
}
