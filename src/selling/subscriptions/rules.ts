import { isChargeUnderWay, isPaid } from '#selling/payments/rules.ts'
import type { PaymentState } from '#selling/payments/state.ts'
import type { PlanState } from '#selling/plans/state.ts'
import { addDays, addIntervals, isYearOrLonger, type Span, spanAfter } from './periods.rules.ts'
import type { SubscriptionSettings } from './settings/state.ts'
import type { EndReason, PeriodState, SubscriptionState, SubscriptionStatus } from './state.ts'

const NEXT: Record<SubscriptionStatus, readonly SubscriptionStatus[]> = {
  incomplete: ['trialing', 'active', 'ended'],
  trialing: ['active', 'past_due', 'paused', 'cancelled', 'ended'],
  active: ['past_due', 'paused', 'cancelled', 'ended'],
  past_due: ['active', 'cancelled', 'ended'],
  paused: ['active', 'past_due', 'cancelled', 'ended'],
  cancelled: ['active', 'trialing', 'past_due', 'ended'],
  ended: [],
}

export function mayBecome(from: SubscriptionStatus, to: SubscriptionStatus): boolean {
  return NEXT[from].includes(to)
}

/** Has it ended, so that nothing happens to it any more? */
export function isOver({ status }: Pick<SubscriptionState, 'status'>): boolean {
  return status === 'ended'
}

/** Bills are sent by mail, and paid whenever the customer gets to it. */
export function isBilled({ gateway }: Pick<SubscriptionState, 'gateway'>): boolean {
  return gateway === 'Manual'
}

/** When a membership ends, as far as it is known; null: it goes on. Whoever is late with a payment is still a member. */
export function membershipEnd({ status, ends_at, ended_at, period_end }: SubscriptionState, now: Date): Date | null {
  if (status === 'ended') return ended_at ?? now
  if (status === 'paused') return period_end < now ? period_end : now
  return status === 'cancelled' ? ends_at : null
}

/** The period that is not paid yet, and the attempts to pay it, oldest first. */
export type OpenPeriod = Omit<PeriodState, 'id'> & {
  isOrderPaid: boolean
  isOrderCancelled: boolean
  payments: readonly PaymentState[]
}

/** What has to be done for a subscription. */
export type Step =
  /** Nothing until a time; null: until somebody does something. */
  | { kind: 'wait'; until: Date | null }
  /** The order of the next period is made, and its payment begins. */
  | { kind: 'open' }
  /** Asks the gateway for the money: an attempt whose fate is not known first, then another one. */
  | { kind: 'charge'; payment: PaymentState | undefined }
  | { kind: 'settle' }
  /** The gateway has refused a charge, whoever has heard of it first. */
  | { kind: 'fail'; payment: PaymentState; failures: number; isTriedAgain: boolean }
  /** A bill was not paid in time. */
  | { kind: 'late' }
  /** The bill of a change of plan was not paid: the old plan stays. */
  | { kind: 'undo' }
  | { kind: 'pause' }
  | { kind: 'remind' }
  | { kind: 'end'; because: EndReason }

/** What a decision depends on besides the subscription. */
export type Surroundings = {
  plan: Pick<PlanState, 'interval' | 'interval_count'>
  settings: SubscriptionSettings
  open: OpenPeriod | undefined
  now: Date
  /** Does the customer ask for another try of a charge that was refused? */
  isAsked?: boolean
}

/** How long a customer may take to finish signing up. */
const SIGN_UP_HOURS = 2
/** Nobody cancels for a later time. */
const PERIODS_AHEAD_MAX = 600
/** How long money may be on its way before the gateway is asked again. */
const PENDING_DAYS = 1

/** Decides what is done next. It is asked again after each step, so that a subscription catches up with what it has missed. */
export function nextStep(subscription: SubscriptionState, around: Surroundings): Step {
  const { open, now } = around
  if (subscription.status === 'ended') return { kind: 'wait', until: null }
  if (open !== undefined) return stepOfOpen(subscription, open, around)
  const { status, period_end, paused_until } = subscription
  if (status === 'paused') return at(paused_until ?? now, { kind: 'open' }, now)
  if (isLast(subscription)) return at(period_end, { kind: 'end', because: lastReason(subscription) }, now)
  if (paused_until !== null && paused_until > period_end) return at(period_end, { kind: 'pause' }, now)
  const reminder = reminderTime(subscription, around)
  if (reminder !== null && reminder <= now) return { kind: 'remind' }
  const renewal = renewalTime(subscription, around.settings)
  if (renewal <= now) return { kind: 'open' }
  return { kind: 'wait', until: reminder !== null && reminder < renewal ? reminder : renewal }
}

function at(time: Date, step: Step, now: Date): Step {
  return time <= now ? step : { kind: 'wait', until: time }
}

/** Is there no period after this one? */
export function isLast({
  ends_at,
  renewals_left,
  period_end,
  period_number,
  next_plan_id,
}: SubscriptionState): boolean {
  if (ends_at !== null && ends_at <= period_end) return true
  // The trial is not a period that was paid for, and another plan renews as often as that one says.
  return renewals_left === 0 && period_number > 0 && next_plan_id === null
}

function lastReason({ ends_at }: SubscriptionState): EndReason {
  return ends_at === null ? 'completed' : 'cancelled'
}

/** When the next period is charged: a bill is sent some days ahead. */
export function renewalTime(subscription: SubscriptionState, { bill_days }: SubscriptionSettings): Date {
  return isBilled(subscription) ? addDays(subscription.period_end, -bill_days) : subscription.period_end
}

/** When the customer is reminded that money will be charged: before a trial ends, and before a long period begins. */
export function reminderTime(
  { status, period_end, period_start, reminded_of }: SubscriptionState,
  { plan, settings }: Pick<Surroundings, 'plan' | 'settings'>,
): Date | null {
  if (status === 'cancelled' || reminded_of?.getTime() === period_end.getTime()) return null
  const isLong = isYearOrLonger(plan)
  const days = status === 'trialing' ? settings.trial_reminder_days : isLong ? settings.renewal_reminder_days : 0
  const time = addDays(period_end, -days)
  return days === 0 || time < period_start ? null : time
}

function stepOfOpen(
  subscription: SubscriptionState,
  open: OpenPeriod,
  { settings, now, isAsked = false }: Surroundings,
): Step {
  const { status } = subscription
  if (open.isOrderPaid) return { kind: 'settle' }
  if (open.isOrderCancelled) return { kind: 'end', because: status === 'incomplete' ? 'abandoned' : 'order_cancelled' }
  if (status === 'incomplete') return stepOfSignUp(subscription, open, settings, now)
  const wait = (until: Date): Step => ({ kind: 'wait', until })
  if (open.payments.some(isPaid)) return wait(addDays(now, PENDING_DAYS))
  if (isBilled(subscription)) return stepOfBill(subscription, open, settings, now)
  const charges = open.payments.filter(({ off_session }) => off_session)
  const last = charges.at(-1)
  if (last?.status === 'failed' && !isOwed(subscription, open)) return { kind: 'end', because: 'cancelled' }
  const refused = charges.filter((charge) => charge.status === 'failed')
  const retry = last && retryTime(open.created_at, last.created_at, settings)
  if (last?.status === 'failed' && refused.length > subscription.failures)
    return { kind: 'fail', payment: last, failures: refused.length, isTriedAgain: retry !== undefined }
  // Nobody waits for the bill of somebody whose card is charged.
  const isUnderWay = ({ off_session, status: state, gateway }: PaymentState) =>
    gateway !== 'Manual' && (state === 'pending' || (state === 'created' && !off_session))
  // The money is on its way, or the customer is about to pay.
  if (open.payments.some(isUnderWay)) return wait(addDays(now, PENDING_DAYS))
  if (last === undefined || last.status === 'created') return { kind: 'charge', payment: last }
  if (retry === undefined) return { kind: 'end', because: 'unpaid' }
  if (isAsked) return { kind: 'charge', payment: undefined }
  return at(retry, { kind: 'charge', payment: undefined }, now)
}

/** Somebody who has not finished signing up can go on for a while, and longer with a bill. */
function stepOfSignUp(
  subscription: SubscriptionState,
  { payments }: OpenPeriod,
  settings: SubscriptionSettings,
  now: Date,
): Step {
  const { created_at } = subscription
  const isUnderWay = !isBilled(subscription) && payments.some(({ status }) => status === 'pending')
  if (isUnderWay) return { kind: 'wait', until: addDays(now, PENDING_DAYS) }
  const end = isBilled(subscription)
    ? addDays(created_at, Math.max(1, settings.bill_days))
    : new Date(created_at.getTime() + SIGN_UP_HOURS * 3_600_000)
  return at(end, { kind: 'end', because: 'abandoned' }, now)
}

/**
 * A bill is late when its period begins, and is given up when the last try of others would be over. What is paid for runs on beside
 * the bill of a change of plan, which is taken back if nobody has paid it in the time that a bill has, or when the period is over.
 */
function stepOfBill(
  subscription: SubscriptionState,
  open: OpenPeriod,
  settings: SubscriptionSettings,
  now: Date,
): Step {
  const { status, period_end } = subscription
  if (isChangeOfPlan(subscription, open)) {
    const last = addDays(open.created_at, Math.max(1, settings.bill_days))
    return at(last < period_end ? last : period_end, { kind: 'undo' }, now)
  }
  const end = addDays(open.starts_at, graceDays(settings))
  if (end <= now) return { kind: 'end', because: 'unpaid' }
  if (status !== 'past_due' && open.starts_at <= now) return { kind: 'late' }
  return { kind: 'wait', until: open.starts_at > now ? open.starts_at : end }
}

/** For how many days a customer who has not paid stays a member. */
export function graceDays({ retry_days }: Pick<SubscriptionSettings, 'retry_days'>): number {
  return Math.max(1, ...retry_days)
}

/**
 * When a period is charged again; undefined: never. Tries that the customer has asked for in between use up none of the days.
 */
export function retryTime(
  firstTry: Date,
  lastTry: Date,
  { retry_days }: Pick<SubscriptionSettings, 'retry_days'>,
): Date | undefined {
  return retry_days.map((days) => addDays(firstTry, days)).find((time) => time > lastTry)
}

/**
 * Did the customer choose other means since a charge began? Then later periods are charged to those, whatever the charge has
 * used.
 */
export function isBeforeChange(
  { means_changed_at }: Pick<SubscriptionState, 'means_changed_at'>,
  { off_session, created_at }: Pick<PaymentState, 'off_session' | 'created_at'>,
): boolean {
  return off_session && means_changed_at !== null && created_at <= means_changed_at
}

/** The subscription after its open period was paid. */
export function settled(
  before: SubscriptionState,
  open: Omit<PeriodState, 'id'>,
  payment: PaymentState | undefined,
): SubscriptionState {
  const isRenewal = before.period_number > 0 && open.number > before.period_number
  const isCountedOn = open.plan_id === before.plan_id && open.starts_at.getTime() === before.period_end.getTime()
  return {
    ...before,
    status: before.ends_at !== null ? 'cancelled' : open.number === 0 ? 'trialing' : 'active',
    plan_id: open.plan_id,
    next_plan_id: before.next_plan_id === open.plan_id ? null : before.next_plan_id,
    period_number: open.number,
    period_start: open.starts_at,
    period_end: open.ends_at,
    anchor: isCountedOn ? before.anchor : open.starts_at,
    renewals_left: before.renewals_left === null ? null : before.renewals_left - Number(isRenewal),
    credit_cents: before.credit_cents - open.credit_cents,
    means_payment_id: payment?.id ?? before.means_payment_id,
    gateway: payment?.gateway ?? before.gateway,
    paused_until: null,
    failures: 0,
  }
}

export function ended(before: SubscriptionState, because: EndReason, now: Date): SubscriptionState {
  return { ...before, status: 'ended', ended_because: because, ended_at: now, due_at: null, paused_until: null }
}

/** Is money on its way, or does nobody know yet what has become of a charge? */
export function isBeingPaid({ payments }: OpenPeriod): boolean {
  return payments.some(
    (payment) => isChargeUnderWay(payment) || (payment.status === 'pending' && payment.gateway !== 'Manual'),
  )
}

/**
 * When a cancellation counts: at the end of what was paid or is being paid, or of the minimum term. Nothing was paid for a period
 * that is late, for a pause and for a sign-up that was never finished, so that they end at once. Whoever is told of another price
 * can leave before it counts, also within the minimum term.
 */
export function cancellationEnd(subscription: SubscriptionState, open: OpenPeriod | undefined, now: Date): Date {
  const { status, period_end, announced_from, next_plan_id } = subscription
  const isRepriced = next_plan_id === null && announced_from !== null
  const terms = [subscription.committed_until, isRepriced ? announced_from : null].filter((time) => time !== null)
  const bound = subscription.committed_until === null ? null : earliest(terms)
  if (status === 'incomplete') return now
  if (open !== undefined && open.starts_at <= now && isBeingPaid(open)) return open.ends_at
  if (status === 'paused' || status === 'past_due') return now
  return bound !== null && bound > period_end ? bound : period_end
}

const earliest = (times: readonly Date[]) => new Date(Math.min(...times.map((time) => time.getTime())))

/** The end of the first period that is not over at a time that the customer has asked for. */
export function endAfter(
  { period_end }: Pick<SubscriptionState, 'period_end'>,
  plan: Pick<PlanState, 'interval' | 'interval_count'>,
  earliest: Date,
  asked: Date,
): Date {
  let end = earliest
  for (let count = 1; end < asked && count <= PERIODS_AHEAD_MAX; count += 1) {
    const next = addIntervals(period_end, plan, count)
    if (next > end) end = next
  }
  return end
}

/** Is a period one that the customer has to pay although the subscription is cancelled? */
function isOwed({ cancelled_at, committed_until }: SubscriptionState, { starts_at }: OpenPeriod): boolean {
  return cancelled_at === null || (committed_until !== null && committed_until > starts_at)
}

/** The end of the minimum term of somebody who signs up. */
export function commitment(
  plan: Pick<PlanState, 'interval' | 'interval_count' | 'minimum_periods'>,
  anchor: Date,
): Date | null {
  return plan.minimum_periods === 0 ? null : addIntervals(anchor, plan, plan.minimum_periods)
}

/** The terms of a subscription whose first period of another plan begins at a time. A minimum term that was agreed to stays. */
export function termsAfter(
  { committed_until: before }: Pick<SubscriptionState, 'committed_until'>,
  plan: Pick<PlanState, 'interval' | 'interval_count' | 'minimum_periods' | 'renewals'>,
  startsAt: Date,
): Pick<SubscriptionState, 'committed_until' | 'renewals_left'> {
  const own = commitment(plan, startsAt)
  const committed_until = own === null || (before !== null && before > own) ? before : own
  return { committed_until, renewals_left: plan.renewals }
}

/** The price of the next period: the one that was announced, once its time has come. */
export function nextAmount(
  { amount_cents, announced_cents, announced_from }: SubscriptionState,
  { starts_at }: Pick<Span, 'starts_at'>,
): number {
  const isNew = announced_cents !== null && announced_from !== null && announced_from <= starts_at
  return isNew ? announced_cents : amount_cents
}

/** The next period. A plan that follows another one, and one that was paused, is counted from its own beginning. */
export function nextSpan(
  { status, plan_id, anchor, period_end }: SubscriptionState,
  plan: Pick<PlanState, 'id' | 'interval' | 'interval_count'>,
  now: Date,
): Span {
  if (status === 'paused') return spanAfter(now, plan, now, now)
  return spanAfter(plan_id === plan.id ? anchor : period_end, plan, period_end, now)
}

/** The subscription stays with its plan, at the price that was agreed. */
export const NO_OTHER_PLAN = { next_plan_id: null, announced_cents: null, announced_from: null } as const

/** Does a period replace the running one, because the customer has changed to another plan? */
export function isChangeOfPlan(
  { status, period_end }: SubscriptionState,
  { starts_at }: Pick<Span, 'starts_at'>,
): boolean {
  return status !== 'paused' && starts_at < period_end
}
