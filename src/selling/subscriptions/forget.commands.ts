import type { Forgetting } from '#people/customers/erasure.worker.ts'
import { cancelOrder } from '#selling/orders/cancel.commands.ts'
import { forgetCustomer } from '#selling/reviews/forget.commands.ts'
import { findOpenPeriod, readSubscriptionsOf } from './queries.ts'
import { note, setPeriodStatus, storeSubscription } from './rows.commands.ts'
import { ended, isOver } from './rules.ts'

/** Nobody is charged for somebody whom the company does not know any more. The lists of members forget the customer themselves. */
export const forgetSubscriber: Forgetting = {
  async atOnce(tx, customer, now) {
    const { companyId, customerId } = customer
    const all = await readSubscriptionsOf(tx, companyId, customerId)
    for (const subscription of all.filter((one) => !isOver(one))) {
      const open = await findOpenPeriod(tx, subscription)
      if (open !== undefined) {
        await setPeriodStatus(tx, open, 'void')
        if (!open.isOrderCancelled) await cancelOrder(tx, { companyId }, String(open.order_id), now)
      }
      const after = { ...ended(subscription, 'cancelled', now), updated_at: now }
      await storeSubscription(tx, after)
      await note(tx, after, 'ended', now, { because: 'cancelled' })
    }
    await forgetCustomer.atOnce(tx, customer, now)
  },
  aBatch: forgetCustomer.aBatch,
}
