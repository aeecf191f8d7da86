import assert from 'node:assert/strict'
import { setCustomerState } from '#people/customers/disable.commands.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Wire } from './factories.ts'
import type { Service, Shop } from './harness.ts'

let counted = 0

/** A unique email address, with capital letters. */
export function anEmail(): string {
  counted += 1
  return `Buyer${counted}.${process.pid}@Example.com`
}

/** The password of every customer that is made here. */
export const CUSTOMER_PASSWORD = 'a password to shop with'

/** Makes a customer through the interface. */
export async function aCustomer(shop: Shop, attributes: object = {}): Promise<Wire> {
  const customer = { email: anEmail(), password: CUSTOMER_PASSWORD, ...attributes }
  const answer = await shop.post('/api/customers.json', { customer })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.customer
}

/** Makes a customer of another shop known to this one. */
export async function shareCustomer(shop: Shop, { email }: { email: string }, attributes: object = {}): Promise<Wire> {
  return aCustomer(shop, { email, ...attributes })
}

export async function readCustomer(shop: Shop, ref: string | number): Promise<Wire> {
  const answer = await shop.get(`/api/customers/${ref}.json`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.customer
}

/** Disables a customer as the operator does. */
export async function disableCustomer(service: Service, { token }: Wire): Promise<void> {
  const { company_id: companyId } = await service.db
    .selectFrom('customer_relations')
    .innerJoin('customers', 'customers.id', 'customer_relations.customer_id')
    .select('company_id')
    .where('customers.token', '=', token)
    .executeTakeFirstOrThrow()
  const author = { companyId, isOperator: true }
  await inTransaction(service.db, (tx) => setCustomerState(tx, author, token, 'disabled', service.clock.now()))
}
