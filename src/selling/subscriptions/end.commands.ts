import type { Tx } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { cancelOrder } from '#selling/orders/cancel.commands.ts'
import { TELL_SUBSCRIBER } from './jobs.ts'
import { holdOpenPeriod } from './queries.ts'
import { note, saveSubscription, setPeriodStatus } from './rows.commands.ts'
import { ended } from './rules.ts'
import type { EndReason, SubscriptionState } from './state.ts'

/** Reasons that the customer knows already, or need not know. */
const UNTOLD: readonly EndReason[] = ['abandoned', 'replaced', 'order_cancelled']

/**
 * Ends a subscription. Nobody pays for its open period any more, whose order is cancelled. An order that is paid is never cancelled
 * here: whoever may find one settles it first.
 */
export async function giveUp(
  tx: Tx,
  before: SubscriptionState,
  because: EndReason,
  now: Date,
): Promise<SubscriptionState> {
  await voidOpenPeriod(tx, before, now)
  const after = { ...ended(before, because, now), updated_at: now }
  await saveSubscription(tx, before, after, now)
  await note(tx, after, 'ended', now, { because })
  if (!UNTOLD.includes(because))
    await enqueue(
      tx,
      { kind: TELL_SUBSCRIBER, companyId: after.company_id, data: { subscription_id: after.id, mail: 'ended' } },
      now,
    )
  return after
}

/** Takes back the open period of a subscription with its order, unless it is paid. */
export async function voidOpenPeriod(tx: Tx, subscription: SubscriptionState, now: Date): Promise<void> {
  const open = await holdOpenPeriod(tx, subscription)
  if (open === undefined) return
  await setPeriodStatus(tx, open, open.isOrderPaid ? 'paid' : 'void')
  if (open.isOrderPaid || open.isOrderCancelled) return
  await cancelOrder(tx, { companyId: subscription.company_id }, String(open.order_id), now)
}
