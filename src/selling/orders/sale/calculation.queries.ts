import { findOwnCustomer } from '#people/customers/queries.ts'
import { emptyRelation } from '#people/customers/rules.ts'
import type { Db } from '#platform/db/database.ts'
import { MANUAL } from '../rules.ts'
import type { OrderInput } from '../schema.ts'
import { type Quote, quoteOrder } from './quote.queries.ts'

/** What an order of the API would cost. A customer whom the company does not know has the address of the body. */
export async function calculateOrder(db: Db, companyId: number, input: OrderInput, now: Date): Promise<Quote> {
  const token = input.customer_token?.trim() || input.customer?.token?.trim()
  const email = input.customer?.email?.trim() || input.email?.trim()
  const known = token
    ? await findOwnCustomer(db, companyId, 'token', token)
    : email
      ? await findOwnCustomer(db, companyId, 'email', email)
      : undefined
  return quoteOrder(db, companyId, input, known ?? emptyRelation(companyId, 0, now), now, { channel: MANUAL })
}
