import type { Forgetting } from '#people/customers/erasure.worker.ts'
import { forgetCustomer } from '#selling/reviews/forget.commands.ts'
import { voidOpenPeriod } from './end.commands.ts'
import { lockSubscription, readSubscriptionsOf } from './queries.ts'
import { note, storeSubscription } from './rows.commands.ts'
import { ended, isOver } from './rules.ts'

/** Nobody is charged for somebody whom the company does not know any more. The lists of members forget the customer themselves. */
export const forgetSubscriber: Forgetting = {
  async atOnce(tx, customer, now) {
    const { companyId, customerId } = customer
    const all = await readSubscriptionsOf(tx, companyId, customerId)
    for (const { id } of all.filter((one) => !isOver(one))) {
      const subscription = await lockSubscription(tx, companyId, String(id))
      if (isOver(subscription)) continue
      await voidOpenPeriod(tx, subscription, now)
      const after = { ...ended(subscription, 'cancelled', now), updated_at: now }
      await storeSubscription(tx, after)
      await note(tx, after, 'ended', now, { because: 'cancelled' })
    }
    await forgetCustomer.atOnce(tx, customer, now)
  },
  aBatch: forgetCustomer.aBatch,
}
