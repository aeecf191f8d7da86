import { lockPerson } from '#people/accounts/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { fieldRequired } from '#platform/errors/faults.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import { customerUnknown } from './errors.ts'
import type { PersonInput } from './schema.ts'

/** A person as a new entry gets to know them. The language is that of the customer; null if there is none. */
export type Person = { email: string; customer_token: string | null; language: string | null }

/**
 * The person that an input names. A customer is locked until the transaction ends, so that a change of the address or a
 * deletion waits, and then finds the new entry.
 */
export async function getPerson(tx: Tx, companyId: number, { email, customer_token }: PersonInput): Promise<Person> {
  if (customer_token !== undefined) {
    const customer = await lockPerson(tx, companyId, 'token', customer_token)
    if (customer === undefined) throw validationFailed('customer_token', customerUnknown())
    return customer
  }
  if (email === undefined) throw validationFailed('email', fieldRequired())
  const customer = await lockPerson(tx, companyId, 'email', email)
  return customer ?? { email, customer_token: null, language: null }
}
