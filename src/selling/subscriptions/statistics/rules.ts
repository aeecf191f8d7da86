import type { PlanState } from '#selling/plans/state.ts'
import type { ChangeKind, SubscriptionState } from '../state.ts'

/** How a company stands at a time, or by how much that changes. */
export type Levels = {
  /** Subscriptions that run, with those in their trial. */
  active_count: number
  trial_count: number
  past_due_count: number
  /** What those that are paid for come to in a month, in cents of the home currency. */
  recurring_amount: number
}

/** What happened in a time. */
export type Flows = {
  new_count: number
  trial_started_count: number
  trial_converted_count: number
  cancelled_count: number
  withdrawn_count: number
  ended_count: number
  failed_charge_count: number
  recovered_charge_count: number
}

/** What a line of a timeline changes. */
export type SubscriptionRecord = Levels & Flows

export const NO_LEVELS: Levels = { active_count: 0, trial_count: 0, past_due_count: 0, recurring_amount: 0 }

export const NO_FLOWS: Flows = {
  new_count: 0,
  trial_started_count: 0,
  trial_converted_count: 0,
  cancelled_count: 0,
  withdrawn_count: 0,
  ended_count: 0,
  failed_charge_count: 0,
  recovered_charge_count: 0,
}

export const NOTHING: SubscriptionRecord = { ...NO_LEVELS, ...NO_FLOWS }

/** The order of the numbers in stored records. New ones are added at the end. */
export const RECORD_FIELDS = Object.keys(NOTHING) as (keyof SubscriptionRecord)[]

const RUNNING: readonly SubscriptionState['status'][] = ['trialing', 'active', 'past_due', 'cancelled']

/** How one subscription counts. `monthlyCents` is its price for a month in the home currency. */
export function levelsOf(
  { status, period_number }: Pick<SubscriptionState, 'status' | 'period_number'>,
  monthlyCents: number,
): Levels {
  if (!RUNNING.includes(status)) return NO_LEVELS
  const isTrial = period_number === 0
  return {
    active_count: 1,
    trial_count: Number(isTrial),
    past_due_count: Number(status === 'past_due'),
    recurring_amount: isTrial ? 0 : monthlyCents,
  }
}

const MONTHS_OF_A_YEAR = 12
/** How many intervals a year has. */
const IN_A_YEAR: Record<PlanState['interval'], number> = { week: 52, month: 12, quarter: 4, year: 1 }

/** The price of a period as if it were paid every month. */
export function monthlyOf(cents: number, { interval, interval_count }: Pick<PlanState, 'interval' | 'interval_count'>) {
  return Math.round((cents * IN_A_YEAR[interval]) / (MONTHS_OF_A_YEAR * interval_count))
}

/** What a line of the timeline of a subscription changes, after all lines before it. */
export function recordOf(
  { kind, because }: { kind: ChangeKind; because?: unknown },
  before: SubscriptionRecord,
  after: Levels,
): SubscriptionRecord {
  const isTrialOver = before.trial_count > 0 && after.trial_count === 0
  // A sign-up that was never finished does not end.
  const isEnd = kind === 'ended' && before.new_count > 0
  const isAtOnce = isEnd && because === 'cancelled' && before.cancelled_count === before.withdrawn_count
  return {
    active_count: after.active_count - before.active_count,
    trial_count: after.trial_count - before.trial_count,
    past_due_count: after.past_due_count - before.past_due_count,
    recurring_amount: after.recurring_amount - before.recurring_amount,
    new_count: Number(kind === 'started'),
    trial_started_count: Number(kind === 'started' && after.trial_count > 0),
    trial_converted_count: Number(kind === 'renewed' && isTrialOver),
    cancelled_count: Number(kind === 'cancelled' || isAtOnce),
    withdrawn_count: Number(kind === 'cancellation_withdrawn'),
    ended_count: Number(isEnd),
    failed_charge_count: Number(kind === 'charge_failed'),
    recovered_charge_count: Number(kind === 'renewed' && before.past_due_count > 0),
  }
}
