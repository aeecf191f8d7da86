import { wireTime } from '#platform/wire/times.ts'
import type { Plan } from './schema.ts'
import type { PlanState } from './state.ts'

/** A plan as the API shows it. */
export function presentPlan(plan: PlanState): Plan {
  return {
    id: plan.id,
    group_id: plan.group_id,
    title: plan.title,
    description: plan.description,
    locales: plan.locales.map(({ language, title, description }) => ({ language_id: language, title, description })),
    price_id: plan.price_id,
    interval: plan.interval,
    interval_count: plan.interval_count,
    trial_days: plan.trial_days,
    minimum_periods: plan.minimum_periods,
    renewals: plan.renewals,
    pausable: plan.pausable,
    valid: plan.valid,
    product_id: plan.product_id,
    created_at: wireTime(plan.created_at),
    updated_at: wireTime(plan.updated_at),
  }
}
