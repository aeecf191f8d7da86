import { type CheckOptions, createChecks } from '#customers/passwords/checks.ts'
import type { Credentials } from '#customers/passwords/queries.ts'
import { hasCustomer } from '#customers/queries.ts'
import type { NewCustomerInput } from '#customers/schema.ts'
import { validationFailed } from '#platform/problem.ts'
import type { OrderInput } from '../schema.ts'
import { passwordRequired } from './errors.ts'
import { readIdentity } from './rules.ts'

/**
 * The customer of an order, as far as known before the transaction. Passwords are checked before it, because that is slow
 * and failed checks always count.
 */
export type Buyer =
  | { kind: 'token'; token: string }
  | { kind: 'known'; email: string }
  | { kind: 'proven'; input: NewCustomerInput; credentials: Credentials }

/**
 * Without a password only customers of the company are found; the answer does not reveal customers of other companies.
 */
export function createBuyerChecks(options: CheckOptions) {
  const { prove } = createChecks(options)

  return async function identify(companyId: number, order: OrderInput, query: { email?: string }): Promise<Buyer> {
    const identity = readIdentity(order, query)
    if (identity.kind === 'token') return identity
    const { email, password, details } = identity
    if (password === undefined) {
      if (await hasCustomer(options.db, companyId, email)) return { kind: 'known', email }
      throw validationFailed('customer.password', passwordRequired())
    }
    const input = { ...details, email, password }
    return { kind: 'proven', input, credentials: await prove(companyId, input) }
  }
}
