import { findOwnCustomer } from '#people/customers/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { readOrders } from '#selling/orders/queries.ts'
import { findSubscription, readSubscriptionsOf } from '../queries.ts'
import type { SubscriptionState } from '../state.ts'
import type { CancellationDeclaration } from './state.ts'

type Named = Pick<CancellationDeclaration, 'number' | 'email'>

const isSame = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

/**
 * The subscription that a declaration names for certain: the number is that of it or of one of its orders, and the address is that
 * of its customer or of the order. Whoever knows an address alone ends nothing.
 */
export async function findDeclared(
  db: Db,
  companyId: number,
  { number, email }: Named,
): Promise<SubscriptionState | undefined> {
  const [, digits] = /^#?\s{0,3}(\d{1,15})$/.exec(number.trim()) ?? []
  if (digits === undefined) return undefined
  const named = await findSubscription(db, companyId, Number(digits))
  if (named?.email != null && isSame(named.email, email)) return named
  const [order] = await readOrders(db, companyId, [Number(digits)])
  if (order === undefined || order.subscription_id === null || !isSame(order.email, email)) return undefined
  return findSubscription(db, companyId, order.subscription_id)
}

/** Has the owner of the address ever signed up to anything of the company? Nobody else gets a mail. */
export async function isSubscriber(db: Db, companyId: number, email: string): Promise<boolean> {
  const customer = await findOwnCustomer(db, companyId, 'email', email.trim())
  if (customer === undefined) return false
  return (await readSubscriptionsOf(db, companyId, customer.customer_id, 1)).length > 0
}
