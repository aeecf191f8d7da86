import type { Tx } from '#platform/db/database.ts'
import type { OrderState } from '#selling/orders/state.ts'
import { getSubscription } from '#selling/subscriptions/queries.ts'
import { proceed } from '#selling/subscriptions/steps.commands.ts'

/** Begins the membership that was just paid for, so that the customer can use it before a worker has looked at it. */
export async function beginMembership(
  tx: Tx,
  { company_id, subscription_id }: Pick<OrderState, 'company_id' | 'subscription_id'>,
  now: Date,
): Promise<void> {
  if (subscription_id === null) return
  const { status } = await getSubscription(tx, company_id, String(subscription_id))
  if (status === 'incomplete') await proceed(tx, company_id, subscription_id, now)
}
