import type { Amount } from '#catalog/prices/rules.ts'
import { textsIn } from '#selling/plans/rules.ts'
import type { PlanState } from '#selling/plans/state.ts'
import { addDays, addIntervals } from '#selling/subscriptions/periods.rules.ts'
import { commitment } from '#selling/subscriptions/rules.ts'
import type { Viewer } from '../cards.present.ts'
import { type PlanPrice, planPrice } from './plans.present.ts'
import type { PricedPlan } from './state.ts'

/** When what a plan says happens, if somebody signs up now. */
export type PlanTimes = {
  /** Free days before the first period; 0 also for somebody who had them before. */
  trial_days: number
  /** When the first period after the trial, or the second one, is to be paid; nothing if there is none. */
  next_charge_at: Date | undefined
  /** The end of the minimum term; nothing if there is none. */
  committed_until: Date | undefined
  /** How many periods the minimum term has; 0 for none. */
  minimum_periods: number
  /** When it ends by itself; nothing if it goes on until it is cancelled. */
  ends_at: Date | undefined
  /** How often it renews; nothing if it does until it is cancelled. */
  renewals: number | undefined
  is_pausable: boolean
}

export function timesOf(plan: PlanState, trialDays: number, now: Date): PlanTimes {
  const anchor = addDays(now, trialDays)
  const { renewals } = plan
  const next = trialDays > 0 ? anchor : renewals === 0 ? undefined : addIntervals(now, plan, 1)
  return {
    trial_days: trialDays,
    next_charge_at: next,
    committed_until: commitment(plan, anchor) ?? undefined,
    minimum_periods: plan.minimum_periods,
    ends_at: renewals === null ? undefined : addIntervals(anchor, plan, renewals + 1),
    renewals: renewals ?? undefined,
    is_pausable: plan.pausable,
  }
}

/** A plan on the page of its group. */
export type PlanView = PlanPrice &
  PlanTimes & {
    id: number
    /** Its name, in the language of the visitor. */
    title: string
    description: string
    /** What is paid on the day of signing up. */
    today: Amount
  }

/** The plans that have a price for the visitor, the lowest first. */
export function planViews(plans: readonly PricedPlan[], viewer: Viewer, hasNoTrial: boolean): PlanView[] {
  return plans
    .flatMap((plan) => {
      const price = planPrice(plan, viewer)
      if (price === undefined) return []
      const times = timesOf(plan, hasNoTrial ? 0 : plan.trial_days, viewer.now)
      const paid = price.with_tax ?? price.price
      const today = times.trial_days > 0 ? { ...paid, cents: 0 } : paid
      return [{ ...price, ...times, ...textsIn(plan, viewer.language), id: plan.id, today }]
    })
    .toSorted((one, other) => one.price.cents - other.price.cents)
}
