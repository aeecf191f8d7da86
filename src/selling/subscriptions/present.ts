import { wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import type { PlanOffer } from './plan-change/state.ts'
import type {
  Subscription,
  SubscriptionEntry,
  SubscriptionPeriod,
  PlannedChange as WirePlannedChange,
} from './schema.ts'
import type { ChangeState, ListedSubscription, PeriodState } from './state.ts'

/** A subscription as the API shows it. */
export function presentSubscription(subscription: ListedSubscription): Subscription {
  return {
    id: subscription.id,
    customer_token: subscription.customer_token,
    email: subscription.email,
    group_id: subscription.group_id,
    plan_id: subscription.plan_id,
    status: subscription.status,
    ended_because: subscription.ended_because,
    gateway: subscription.gateway,
    currency: subscription.currency,
    amount: subscription.amount_cents,
    next_amount: subscription.announced_cents,
    next_amount_from: wireTimeOrNull(subscription.announced_from),
    credit: subscription.credit_cents,
    period: subscription.period_number,
    period_start: wireTime(subscription.period_start),
    period_end: wireTime(subscription.period_end),
    renewals_left: subscription.renewals_left,
    committed_until: wireTimeOrNull(subscription.committed_until),
    next_plan_id: subscription.next_plan_id,
    ends_at: wireTimeOrNull(subscription.ends_at),
    paused_until: wireTimeOrNull(subscription.paused_until),
    failures: subscription.failures,
    next_action_at: wireTimeOrNull(subscription.due_at),
    test: subscription.test,
    created_at: wireTime(subscription.created_at),
    updated_at: wireTime(subscription.updated_at),
    cancelled_at: wireTimeOrNull(subscription.cancelled_at),
    ended_at: wireTimeOrNull(subscription.ended_at),
  }
}

export function presentPeriod({
  id,
  number,
  plan_id,
  order_id,
  credit_cents,
  status,
  ...times
}: PeriodState): SubscriptionPeriod {
  const [starts_at, ends_at] = [wireTime(times.starts_at), wireTime(times.ends_at)]
  return { id, number, plan_id, order_id, starts_at, ends_at, credit: credit_cents, status }
}

export function presentEntry({ id, kind, details, created_at }: ChangeState): SubscriptionEntry {
  return { id, kind, details, created_at: wireTime(created_at) }
}

export function presentPlannedChange({
  plan,
  starts_at,
  ends_at,
  committed_until,
  renewals,
  ...change
}: PlanOffer): WirePlannedChange {
  const { amount_cents: amount, credit_cents: credit, total_cents: total, at, currency } = change
  return {
    plan_id: plan.id,
    at,
    currency,
    amount,
    credit,
    total,
    starts_at: wireTime(starts_at),
    ends_at: wireTime(ends_at),
    committed_until: wireTimeOrNull(committed_until),
    renewals,
  }
}
