import type { Tx } from '#platform/db/database.ts'
import { addAuthorization } from '#selling/payments/commands.ts'
import { findPayment } from '#selling/payments/queries.ts'
import { isPaid } from '#selling/payments/rules.ts'
import type { GatewayName, PaymentState } from '#selling/payments/state.ts'
import { subscriptionNotChangeable } from '../errors.ts'
import { findOpenPeriod, lockSubscription, readPeriods } from '../queries.ts'
import { note, storeSubscription } from '../rows.commands.ts'
import type { SubscriptionState } from '../state.ts'

/**
 * Begins to change what a subscription is paid with: a payment of nothing, which the caller starts at its gateway. The change counts
 * once the gateway has saved the other means. Where a period is open, the customer pays that one instead. A second press of the
 * button goes on with the payment of the first.
 */
export async function changeMeans(
  tx: Tx,
  { companyId }: { companyId: number },
  ref: string,
  gateway: GatewayName,
  now: Date,
): Promise<PaymentState> {
  const before = await lockSubscription(tx, companyId, ref)
  const { status, next_means_payment_id: next } = before
  const [last] = await readPeriods(tx, companyId, before.id, 1)
  const isOpen = (await findOpenPeriod(tx, before)) !== undefined
  if (status === 'incomplete' || status === 'ended' || isOpen || last === undefined)
    throw subscriptionNotChangeable(status)
  const begun = next === null ? undefined : await findPayment(tx, companyId, next)
  if (begun?.status === 'created' && begun.gateway === gateway) return begun
  const payment = await addAuthorization(tx, { companyId }, last.order_id, gateway, now)
  await storeSubscription(tx, { ...before, next_means_payment_id: payment.id, updated_at: now })
  return payment
}

/** The subscription after news of the means that the customer is changing to. Lock it first. */
export async function followMeans(tx: Tx, before: SubscriptionState, now: Date): Promise<SubscriptionState> {
  const { next_means_payment_id: next, company_id } = before
  const payment = next === null ? undefined : await findPayment(tx, company_id, next)
  if (payment === undefined || payment.status === 'created' || payment.status === 'pending') return before
  const over = { ...before, next_means_payment_id: null, updated_at: now }
  const { gateway, id: means_payment_id } = payment
  const after = isPaid(payment) ? { ...over, gateway, means_payment_id, means_changed_at: now } : over
  await storeSubscription(tx, after)
  if (isPaid(payment)) await note(tx, after, 'means_changed', now, { gateway })
  return after
}

/** followMeans for a customer who is back from the gateway, and looks at the page. */
export async function settleMeans(tx: Tx, companyId: number, ref: string, now: Date): Promise<void> {
  await followMeans(tx, await lockSubscription(tx, companyId, ref), now)
}
