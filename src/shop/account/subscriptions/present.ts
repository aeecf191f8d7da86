import { titleIn } from '#people/groups/rules.ts'
import type { GroupState } from '#people/groups/state.ts'
import { textsIn } from '#selling/plans/rules.ts'
import type { PlanState } from '#selling/plans/state.ts'
import { addIntervals } from '#selling/subscriptions/periods.rules.ts'
import type { PlanOffer } from '#selling/subscriptions/plan-change/state.ts'
import {
  cancellationEnd,
  isBilled,
  isLast,
  nextAmount,
  nextSpan,
  type OpenPeriod,
} from '#selling/subscriptions/rules.ts'
import type { ChangeState, SubscriptionState } from '#selling/subscriptions/state.ts'
import type {
  Choices,
  NextPayment,
  OfferedChange,
  PeriodPrice,
  PlanChoice,
  ShownChange,
  Standing,
  SubscriptionCard,
} from './state.ts'

const TONES: Record<Standing, SubscriptionCard['tone']> = {
  incomplete: 'amber',
  trialing: 'green',
  active: 'green',
  past_due: 'red',
  pausing: 'amber',
  paused: 'amber',
  cancelled: 'amber',
  ended: '',
}

/** For how many months a customer can pause. */
const PAUSES = [1, 2, 3, 6]

export function standingOf({ status, paused_until }: SubscriptionState): Standing {
  return status === 'active' && paused_until !== null ? 'pausing' : status
}

function dayOf({ status, period_end, ends_at, ended_at, paused_until }: SubscriptionState): Date | undefined {
  if (status === 'ended') return ended_at ?? undefined
  if (status === 'cancelled') return ends_at ?? undefined
  if (paused_until !== null) return paused_until
  return status === 'trialing' ? period_end : undefined
}

export function priceOfPeriod(
  { interval, interval_count }: Pick<PlanState, 'interval' | 'interval_count'>,
  cents: number,
  currency: string,
): PeriodPrice {
  return { cents, currency, interval, interval_count }
}

export type Known = { group: GroupState | undefined; plan: PlanState; next: NextPayment | undefined; language: string }

export function cardOf(subscription: SubscriptionState, { group, plan, next, language }: Known): SubscriptionCard {
  const standing = standingOf(subscription)
  return {
    id: subscription.id,
    title: group === undefined ? subscription.group_id : titleIn(group, language),
    plan: textsIn(plan, language).title,
    standing,
    tone: TONES[standing],
    day: dayOf(subscription),
    price: priceOfPeriod(plan, subscription.amount_cents, subscription.currency),
    next,
  }
}

/** When the next period begins, which is when it is paid; undefined if none follows. */
export function nextStart(subscription: SubscriptionState, plan: PlanState, now: Date): Date | undefined {
  const { status, paused_until } = subscription
  if (status === 'ended' || status === 'incomplete' || status === 'past_due') return undefined
  if (status === 'paused') return paused_until ?? undefined
  if (isLast(subscription)) return undefined
  if (paused_until !== null) return paused_until
  return nextSpan(subscription, plan, now).starts_at
}

/** The price of the next period, as it was agreed or announced. */
export function agreedNext(subscription: SubscriptionState, on: Date): NextPayment {
  const cents = nextAmount(subscription, { starts_at: on })
  return { cents, currency: subscription.currency, on, is_bill: isBilled(subscription) }
}

/** What the customer can do with a subscription. Commands refuse the rest. */
export function choicesOf(
  subscription: SubscriptionState,
  open: OpenPeriod | undefined,
  { plan, plans, now }: { plan: PlanState; plans: readonly PlanChoice[]; now: Date },
): Choices {
  const { status, paused_until, period_end, committed_until, ends_at } = subscription
  const isRunning = status === 'active' || status === 'trialing'
  const end = cancellationEnd(subscription, open, now)
  const mayCancel = status !== 'cancelled' && status !== 'ended'
  return {
    cancel: mayCancel
      ? { ends_at: end, is_at_once: end <= now, is_committed: committed_until !== null && end >= committed_until }
      : undefined,
    resume:
      status === 'cancelled' && ends_at !== null && ends_at > now
        ? 'cancellation'
        : status === 'paused' || (isRunning && paused_until !== null)
          ? 'pause'
          : undefined,
    pause:
      status === 'active' && paused_until === null && plan.pausable && !isLast(subscription) && open === undefined
        ? PAUSES.map((months) => ({ months, until: pauseEnd(period_end, months) }))
        : [],
    plans: isRunning && open === undefined ? [...plans] : [],
    means: status !== 'ended' && status !== 'incomplete' && open === undefined,
  }
}

/** When a pause of some months is over. */
export function pauseEnd(from: Date, months: number): Date {
  return addIntervals(from, { interval: 'month', interval_count: 1 }, months)
}

export function readPause(text: string): number | undefined {
  return PAUSES.find((months) => String(months) === text)
}

/** What happened, in words that a template has. */
export function shownChange({ kind, details, created_at }: ChangeState, currency: string): ShownChange {
  const { plan, cents, from } = details
  return {
    kind,
    at: created_at,
    plan: typeof plan === 'string' ? plan : '',
    cents: typeof cents === 'number' ? cents : 0,
    currency,
    day: typeof from === 'string' ? new Date(from) : undefined,
  }
}

export function shownOffer(offer: PlanOffer): OfferedChange {
  const { at, total_cents, credit_cents, currency, starts_at, ends_at, plan, renewals, terms } = offer
  const until = offer.committed_until
  const committed_until = until !== null && until > starts_at ? until : undefined
  const over_at = renewals === null ? undefined : addIntervals(starts_at, plan, renewals + 1)
  const price = { total_cents, credit_cents, currency, price_cents: total_cents + credit_cents }
  return { at, ...price, starts_at, ends_at, committed_until, renewals: renewals ?? undefined, over_at, terms }
}
