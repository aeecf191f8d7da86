import { recordChange } from '#history/audit/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Author } from '#platform/identity/caller.ts'
import { planPriceChanged } from '../errors.ts'
import { note, saveSubscription } from '../rows.commands.ts'
import { restAt } from '../sale/period.queries.ts'
import type { SubscriptionState } from '../state.ts'
import { lockSettled, openPeriodOf, tell } from '../steps.commands.ts'
import { getOfferedPlan, isAtOnce, offerPlan, plannedChange, priceOf } from './queries.ts'
import type { PlanChange } from './state.ts'

/**
 * Changes to another plan of the same group: with the next period, or at once. At once, a period of the new plan begins now, and
 * what is left of the running one is credited to the day. It counts when it is paid; until then, and if it is not, the plan stays.
 * From then on the terms of the new plan hold, and a minimum term that was agreed to before. A change that is planned already changes nothing.
 */
export async function changePlan(
  tx: Tx,
  author: Author,
  ref: string,
  { planId, at, agreedCents, agreedTerms }: PlanChange,
  now: Date,
): Promise<SubscriptionState> {
  const before = await lockSettled(tx, author.companyId, ref, now)
  const plan = await getOfferedPlan(tx, before, planId)
  if (plan.id === before.next_plan_id && !isAtOnce(before, plan, at)) return before
  if (agreedCents !== undefined) {
    const { total_cents, terms } = await offerPlan(tx, before, { planId, at }, now)
    if (total_cents !== agreedCents || (agreedTerms ?? terms) !== terms) throw planPriceChanged()
  }
  const { planned, span } = plannedChange(before, plan, await priceOf(tx, before, plan), at, now)
  const after = isAtOnce(before, plan, at) ? { ...planned, due_at: now } : planned
  await saveSubscription(tx, before, after, now)
  if (isAtOnce(before, plan, at)) {
    // What is left counts once the new period is paid, so that nothing is lost if it is not.
    const credited = { ...after, credit_cents: before.credit_cents + (await restAt(tx, before, now)) }
    await openPeriodOf(tx, credited, plan, span, now)
  }
  await note(tx, after, 'plan_changed', now, { plan: plan.title, at })
  await recordChange(tx, author, 'subscription plan changed', `${after.id}: ${plan.title}`, now)
  await tell(tx, after, 'plan_changed', now)
  return after
}
