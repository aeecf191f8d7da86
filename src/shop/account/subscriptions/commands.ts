import type { Tx } from '#platform/db/database.ts'
import type { Origin } from '#platform/identity/origin.ts'
import { cancelSubscription, pauseSubscription, resumeSubscription } from '#selling/subscriptions/changes.commands.ts'
import { changePlan } from '#selling/subscriptions/plan-change/commands.ts'
import type { PlanChange } from '#selling/subscriptions/plan-change/state.ts'
import type { SubscriptionState } from '#selling/subscriptions/state.ts'
import { pauseEnd } from './present.ts'

/** What customers change of their own subscriptions. The audit log has where they were. */

type Own = Pick<SubscriptionState, 'company_id' | 'id'>

export function cancelOwn(tx: Tx, { company_id, id }: Own, origin: Origin, now: Date): Promise<SubscriptionState> {
  return cancelSubscription(tx, { companyId: company_id, origin }, String(id), {}, now)
}

export function resumeOwn(tx: Tx, { company_id, id }: Own, origin: Origin, now: Date): Promise<SubscriptionState> {
  return resumeSubscription(tx, { companyId: company_id, origin }, String(id), now)
}

export function pauseOwn(
  tx: Tx,
  { company_id, id, period_end }: Own & Pick<SubscriptionState, 'period_end'>,
  months: number,
  origin: Origin,
  now: Date,
): Promise<SubscriptionState> {
  return pauseSubscription(tx, { companyId: company_id, origin }, String(id), pauseEnd(period_end, months), now)
}

export function changeOwnPlan(
  tx: Tx,
  { company_id, id }: Own,
  change: PlanChange,
  origin: Origin,
  now: Date,
): Promise<SubscriptionState> {
  return changePlan(tx, { companyId: company_id, origin }, String(id), change, now)
}
