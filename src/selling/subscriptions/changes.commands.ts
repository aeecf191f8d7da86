import { recordChange } from '#history/audit/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { getPlan } from '#selling/plans/queries.ts'
import { giveUp, voidOpenPeriod } from './end.commands.ts'
import { extensionTooLong, pauseTooLong, planNotPausable, subscriptionNotChangeable, timeNotAhead } from './errors.ts'
import { addDays } from './periods.rules.ts'
import { presentSubscription } from './present.ts'
import { findOpenPeriod, getSubscription, holdOpenPeriod, lockSubscription } from './queries.ts'
import { note, saveSubscription } from './rows.commands.ts'
import { cancellationEnd, endAfter, isBeingPaid, isBilled, isChangeOfPlan, NO_OTHER_PLAN, nextStep } from './rules.ts'
import { readSettings } from './settings/queries.ts'
import type { ChangeKind, SubscriptionState } from './state.ts'
import { lockSettled, tell } from './steps.commands.ts'

/** Nobody comes back after a longer pause. */
const PAUSE_DAYS_MAX = 366
const EXTENSION_DAYS_MAX = 3660

const AUDITED = {
  cancelled: 'subscription cancelled',
  cancellation_withdrawn: 'subscription resumed',
  resumed: 'subscription resumed',
  pause_planned: 'subscription paused',
  extended: 'subscription extended',
} as const satisfies Partial<Record<ChangeKind, string>>

/** How a subscription is cancelled: `atOnce` refunds nothing, and `notBefore` is a later day that the customer has asked for. */
export type Cancelling = { atOnce?: boolean; notBefore?: Date | undefined }

/**
 * Cancels a subscription: it runs to the end of what was paid, or of the minimum term. What nothing was paid for ends at once, and
 * so does everything with `atOnce`. Cancelling twice changes nothing.
 */
export async function cancelSubscription(
  tx: Tx,
  author: Author,
  ref: string,
  { atOnce = false, notBefore }: Cancelling,
  now: Date,
): Promise<SubscriptionState> {
  const before = await lockSettled(tx, author.companyId, ref, now)
  if (before.status === 'ended' || (before.status === 'cancelled' && !atOnce)) return before
  const end = atOnce ? now : await endOf(tx, before, notBefore, now)
  const requested: SubscriptionState = {
    ...before,
    ...(before.next_plan_id === null ? {} : NO_OTHER_PLAN),
    cancelled_at: now,
    ends_at: end,
    paused_until: null,
  }
  if (end > now) await takeBackBill(tx, before, end, now)
  if (end > now) return write(tx, author, before, { ...requested, status: 'cancelled' }, 'cancelled', now)
  const after = await giveUp(tx, requested, before.status === 'incomplete' ? 'abandoned' : 'cancelled', now)
  await recordChange(tx, author, AUDITED.cancelled, String(after.id), now)
  return after
}

async function endOf(tx: Tx, before: SubscriptionState, notBefore: Date | undefined, now: Date): Promise<Date> {
  const end = cancellationEnd(before, await findOpenPeriod(tx, before), now)
  if (notBefore === undefined || notBefore <= end || end <= now) return end
  return endAfter(before, await getPlan(tx, before.company_id, String(before.plan_id)), end, notBefore)
}

/** Nobody pays a bill that was sent ahead for a time after the end, nor one of another plan. */
async function takeBackBill(tx: Tx, subscription: SubscriptionState, end: Date, now: Date): Promise<void> {
  const open = await findOpenPeriod(tx, subscription)
  if (open === undefined) return
  const isOfChange = isChangeOfPlan(subscription, open) && !isBeingPaid(open)
  if (open.starts_at >= end || isOfChange) await voidOpenPeriod(tx, subscription, now)
}

/** Takes back a cancellation or a pause, whether it has begun or not. Whoever was paused is charged for a new period now. */
export async function resumeSubscription(tx: Tx, author: Author, ref: string, now: Date): Promise<SubscriptionState> {
  const before = await lockSubscription(tx, author.companyId, ref)
  const isTrial = before.period_number === 0
  if (before.status === 'cancelled') {
    if (before.ends_at !== null && before.ends_at <= now) throw subscriptionNotChangeable('ended')
    const status = isTrial ? 'trialing' : 'active'
    return write(
      tx,
      author,
      before,
      { ...before, status, ends_at: null, cancelled_at: null },
      'cancellation_withdrawn',
      now,
    )
  }
  if (before.status === 'paused')
    return write(tx, author, before, { ...before, paused_until: now, due_at: now }, 'resumed', now)
  if (before.paused_until === null) throw subscriptionNotChangeable(before.status)
  return write(tx, author, before, { ...before, paused_until: null }, 'resumed', now)
}

/**
 * Pauses a subscription from the end of its period until a time. Nothing is charged meanwhile, and a bill that was sent ahead for
 * the next period is taken back. A period whose money is on its way, and a change of plan, come first.
 */
export async function pauseSubscription(
  tx: Tx,
  author: Author,
  ref: string,
  until: Date,
  now: Date,
): Promise<SubscriptionState> {
  const before = await lockSettled(tx, author.companyId, ref, now)
  const plan = await getPlan(tx, author.companyId, String(before.plan_id))
  if (!plan.pausable) throw planNotPausable()
  if (before.status !== 'active') throw subscriptionNotChangeable(before.status)
  if (before.paused_until?.getTime() === until.getTime()) return before
  if (until <= before.period_end) throw validationFailed('until', timeNotAhead())
  if (until > addDays(before.period_end, PAUSE_DAYS_MAX)) throw validationFailed('until', pauseTooLong())
  const open = await holdOpenPeriod(tx, before)
  const isBill = open === undefined || (isBilled(before) && !isBeingPaid(open) && !isChangeOfPlan(before, open))
  if (!isBill) throw subscriptionNotChangeable(before.status)
  await voidOpenPeriod(tx, before, now)
  return write(tx, author, before, { ...before, paused_until: until }, 'pause_planned', now)
}

/** Gives a member more time for nothing. Later periods begin then. */
export async function extendSubscription(
  tx: Tx,
  author: Author,
  ref: string,
  until: Date,
  now: Date,
): Promise<SubscriptionState> {
  const before = await lockSubscription(tx, author.companyId, ref)
  const isRunning = before.status === 'active' || before.status === 'trialing' || before.status === 'cancelled'
  if (!isRunning || (await findOpenPeriod(tx, before)) !== undefined) throw subscriptionNotChangeable(before.status)
  if (until <= before.period_end) throw validationFailed('until', timeNotAhead())
  if (until > addDays(before.period_end, EXTENSION_DAYS_MAX)) throw validationFailed('until', extensionTooLong())
  const ends_at = before.ends_at === null || before.ends_at > until ? before.ends_at : until
  return write(tx, author, before, { ...before, period_end: until, anchor: until, ends_at }, 'extended', now)
}

/** Writes a change, and when something has to be done next. */
async function write(
  tx: Tx,
  author: Author,
  before: SubscriptionState,
  changed: SubscriptionState,
  kind: keyof typeof AUDITED,
  now: Date,
): Promise<SubscriptionState> {
  const { company_id } = before
  const [plan, settings, open] = await Promise.all([
    getPlan(tx, company_id, String(changed.plan_id)),
    readSettings(tx, company_id),
    findOpenPeriod(tx, changed),
  ])
  const step = nextStep(changed, { plan, settings, open, now })
  const after = { ...changed, due_at: step.kind === 'wait' ? step.until : now, updated_at: now }
  await saveSubscription(tx, before, after, now)
  await note(tx, after, kind, now)
  await recordChange(tx, author, AUDITED[kind], String(after.id), now)
  if (kind === 'cancelled') await tell(tx, after, 'cancelled', now)
  if (kind === 'pause_planned') await tell(tx, after, 'paused', now)
  return after
}

/** A subscription as a change has left it, with the document that goes out. */
export async function written(tx: Tx, change: Promise<SubscriptionState>): Promise<Written<SubscriptionState>> {
  const { company_id, id } = await change
  const state = await getSubscription(tx, company_id, String(id))
  return { state, document: asciiJson(presentSubscription(state)) }
}
