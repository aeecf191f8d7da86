import type { Tx } from '#platform/db/database.ts'
import { asOneStatement } from '#platform/db/writes.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { cancelOrder } from '#selling/orders/cancel.commands.ts'
import { prepareSale, writeSale } from '#selling/orders/commands.ts'
import { lockOrder } from '#selling/orders/queries.ts'
import type { OrderState } from '#selling/orders/state.ts'
import { addCharge } from '#selling/payments/commands.ts'
import { findPayment, readPaymentsOfOrder } from '#selling/payments/queries.ts'
import { isPaid, isPayable } from '#selling/payments/rules.ts'
import type { PaymentState } from '#selling/payments/state.ts'
import { getPlan } from '#selling/plans/queries.ts'
import type { PlanState } from '#selling/plans/state.ts'
import { followMeans } from './charges/means.commands.ts'
import { giveUp } from './end.commands.ts'
import { type MailKind, TELL_SUBSCRIBER } from './jobs.ts'
import type { Span } from './periods.rules.ts'
import { findOpenPeriod, holdOpenPeriod, lockSubscription, readLastNumber } from './queries.ts'
import {
  addLine,
  followMember,
  insertPeriod,
  lineOf,
  note,
  setPeriodStatus,
  storeSubscription,
} from './rows.commands.ts'
import {
  isBeforeChange,
  isBilled,
  isChangeOfPlan,
  isOver,
  mayBecome,
  NO_OTHER_PLAN,
  nextSpan,
  nextStep,
  type OpenPeriod,
  type Step,
  type Surroundings,
  settled,
  termsAfter,
} from './rules.ts'
import { readPeriodSale, restAt } from './sale/period.queries.ts'
import { readSettings } from './settings/queries.ts'
import type { SubscriptionState } from './state.ts'

/**
 * A charge that the gateway has to be asked for, between two transactions. `earlier` is the payment that left the means there, and
 * `attempt` counts the attempts to pay the period.
 */
export type Charge = { payment: PaymentState; earlier: PaymentState | undefined; attempt: number }

/** More steps than any subscription needs to catch up. */
const STEPS_MAX = 50

/**
 * Does everything for a subscription that the database alone can do, and notes when it is due again. Returns the charge that has
 * to be made first, if there is one. Lock the subscription first, or leave that to this.
 */
export async function proceed(
  tx: Tx,
  companyId: number,
  id: number,
  now: Date,
  { locked, isAsked = false }: Pick<Surroundings, 'isAsked'> & { locked?: SubscriptionState | undefined } = {},
): Promise<Charge | undefined> {
  const before = await followMeans(tx, locked ?? (await lockSubscription(tx, companyId, String(id))), now)
  const settings = await readSettings(tx, companyId)
  let subscription = before
  let plan = await getPlan(tx, companyId, String(subscription.plan_id))
  let open = await findOpenPeriod(tx, subscription)
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    if (plan.id !== subscription.plan_id) plan = await getPlan(tx, companyId, String(subscription.plan_id))
    const step = nextStep(subscription, { plan, settings, open, now, isAsked })
    if (step.kind === 'wait') {
      await asOneStatement(tx, () => [storeSubscription(tx, { ...subscription, due_at: step.until })])
      return undefined
    }
    if (step.kind === 'charge' && open !== undefined) {
      if (subscription !== before) await storeSubscription(tx, subscription)
      const charge = await chargeFor(tx, subscription, open, step.payment, now)
      if (charge !== undefined) return charge
      open = await findOpenPeriod(tx, subscription)
      continue
    }
    ;({ subscription, open } = await takeStep(tx, subscription, step, { plan, open }, now))
  }
  throw new Error(`subscription ${id} of company ${companyId} does not come to rest`)
}

/**
 * Locks a subscription, and settles its open period first if that is paid: the news of a payment comes by a job, and whoever changes
 * a subscription may be faster.
 */
export async function lockSettled(tx: Tx, companyId: number, ref: string, now: Date): Promise<SubscriptionState> {
  const locked = await lockSubscription(tx, companyId, ref)
  const open = isOver(locked) ? undefined : await holdOpenPeriod(tx, locked)
  if (open === undefined || !open.isOrderPaid) return locked
  const after = { ...(await settle(tx, locked, open, now)), due_at: now }
  await storeSubscription(tx, after)
  return after
}

type Known = { plan: PlanState; open: OpenPeriod | undefined }

/** A subscription after a step, which is stored when there is no other, and its open period. */
type Stepped = { subscription: SubscriptionState; open: OpenPeriod | undefined }

async function takeStep(
  tx: Tx,
  before: SubscriptionState,
  step: Exclude<Step, { kind: 'wait' }>,
  { plan, open }: Known,
  now: Date,
): Promise<Stepped> {
  const withOpen = async (changed: Promise<SubscriptionState>) => ({ subscription: await changed, open })
  switch (step.kind) {
    case 'open':
      return { subscription: before, open: await openPeriod(tx, before, plan, now) }
    case 'settle':
      return { subscription: open === undefined ? before : await settle(tx, before, open, now), open: undefined }
    case 'fail':
      return fail(tx, before, step, open, now)
    case 'late':
      await tell(tx, before, 'bill_late', now, open?.order_id)
      return withOpen(fallBehind(tx, before, 'bill', now, open?.order_id))
    case 'pause':
      return withOpen(change(tx, before, { status: 'paused' }, 'paused', now))
    case 'remind':
      return withOpen(remind(tx, before, now))
    case 'undo':
    case 'end':
      return takeBack(tx, before, step, now)
    case 'charge':
      return { subscription: before, open }
  }
}

/** Ends a subscription, or undoes a change of plan, unless the money has arrived in this moment. */
async function takeBack(
  tx: Tx,
  before: SubscriptionState,
  step: Extract<Step, { kind: 'undo' | 'end' }>,
  now: Date,
): Promise<Stepped> {
  const open = await holdOpenPeriod(tx, before)
  if (open?.isOrderPaid) return { subscription: before, open }
  if (step.kind === 'end') return { subscription: await giveUp(tx, before, step.because, now), open: undefined }
  await tell(tx, before, 'change_failed', now, open?.order_id)
  return { subscription: open === undefined ? before : await undoChange(tx, before, open, now), open: undefined }
}

/** Writes a change with its line in the timeline. */
async function change(
  tx: Tx,
  before: SubscriptionState,
  changes: Partial<SubscriptionState>,
  kind: Parameters<typeof note>[2],
  now: Date,
): Promise<SubscriptionState> {
  const after = { ...before, ...changes, updated_at: now }
  await followMember(tx, before, after, now)
  await note(tx, after, kind, now)
  return after
}

export async function tell(
  tx: Tx,
  { company_id: companyId, id: subscription_id }: SubscriptionState,
  mail: MailKind,
  now: Date,
  order_id?: number,
): Promise<void> {
  const data = { subscription_id, mail, ...(order_id === undefined ? {} : { order_id }) }
  await enqueue(tx, { kind: TELL_SUBSCRIBER, companyId, data }, now)
}

async function remind(tx: Tx, before: SubscriptionState, now: Date): Promise<SubscriptionState> {
  await tell(tx, before, before.status === 'trialing' ? 'trial_ends' : 'renewal', now)
  return change(tx, before, { reminded_of: before.period_end }, 'reminded', now)
}

/** A charge was refused: it is tried again later. A change of plan that cannot be paid is undone instead. */
async function fail(
  tx: Tx,
  before: SubscriptionState,
  { payment, failures, isTriedAgain }: Extract<Step, { kind: 'fail' }>,
  open: OpenPeriod | undefined,
  now: Date,
): Promise<Stepped> {
  if (open !== undefined && isChangeOfPlan(before, open)) {
    await tell(tx, before, 'change_failed', now, payment.order_id)
    return { subscription: await undoChange(tx, before, open, now), open: undefined }
  }
  const mail = payment.failure === 'authentication_required' ? 'confirm_charge' : 'charge_failed'
  // After the last try it ends, and the mail that says so is the only one.
  if (isTriedAgain) await tell(tx, before, mail, now, payment.order_id)
  const behind = await fallBehind(tx, { ...before, failures }, payment.failure ?? '', now, payment.order_id)
  return { subscription: behind, open }
}

/** A change of plan that could not be paid: everything is as it was before. */
async function undoChange(tx: Tx, before: SubscriptionState, open: OpenPeriod, now: Date): Promise<SubscriptionState> {
  await setPeriodStatus(tx, open, 'void')
  if (!open.isOrderCancelled) await cancelOrder(tx, { companyId: before.company_id }, String(open.order_id), now)
  return change(tx, before, NO_OTHER_PLAN, 'charge_failed', now)
}

/** A period that was not paid in time: the customer is still a member for a while. */
async function fallBehind(
  tx: Tx,
  before: SubscriptionState,
  reason: string,
  now: Date,
  orderId?: number,
): Promise<SubscriptionState> {
  const status = mayBecome(before.status, 'past_due') ? 'past_due' : before.status
  const after = { ...before, status, updated_at: now }
  await followMember(tx, before, after, now)
  await note(tx, after, 'charge_failed', now, { reason, order_id: orderId ?? null })
  return after
}

/** The period begins: its order is paid. What paid it is charged again next time. */
async function settle(tx: Tx, before: SubscriptionState, open: OpenPeriod, now: Date): Promise<SubscriptionState> {
  const payment = open.payments.findLast(isPaid)
  const isCharged = payment !== undefined && !isBilled(payment) && !isBeforeChange(before, payment)
  const paidBy = isCharged ? payment : undefined
  const isNewPrice = before.announced_from !== null && before.announced_from <= open.starts_at
  const rest = isChangeOfPlan(before, open) ? await restAt(tx, before, open.starts_at) : 0
  const credited = { ...before, credit_cents: before.credit_cents + rest }
  const plan = open.plan_id === before.plan_id ? undefined : await getPlan(tx, before.company_id, String(open.plan_id))
  const after: SubscriptionState = {
    ...settled(credited, open, paidBy),
    ...(plan === undefined ? {} : termsAfter(before, plan, open.starts_at)),
    ...(isNewPrice
      ? { amount_cents: before.announced_cents ?? before.amount_cents, announced_cents: null, announced_from: null }
      : {}),
    updated_at: now,
  }
  await followMember(tx, before, after, now)
  const isNew = before.status === 'incomplete'
  const line = await lineOf(tx, after, isNew ? 'started' : 'renewed', now, { order_id: open.order_id })
  await asOneStatement(tx, () => [setPeriodStatus(tx, open, 'paid'), addLine(tx, line)])
  if (isNew) await tell(tx, after, 'welcome', now, open.order_id)
  return after
}

/**
 * Makes the order of the next period at the price that was agreed, with the taxes of today. A period that costs nothing is paid at
 * once; a bill is sent; everything else is charged.
 */
async function openPeriod(tx: Tx, before: SubscriptionState, current: PlanState, now: Date): Promise<OpenPeriod> {
  const { company_id, next_plan_id } = before
  const plan = next_plan_id === null ? current : await getPlan(tx, company_id, String(next_plan_id))
  return openPeriodOf(tx, before, plan, nextSpan(before, plan, now), now)
}

/** The same for a period of any plan, which may begin at any time. */
export async function openPeriodOf(
  tx: Tx,
  before: SubscriptionState,
  plan: PlanState,
  span: Span,
  now: Date,
): Promise<OpenPeriod> {
  const { company_id: companyId } = before
  const number = (await readLastNumber(tx, companyId, before.id)) + 1
  const order = await sellPeriod(tx, before, plan, span, now)
  const period = {
    company_id: companyId,
    subscription_id: before.id,
    number,
    plan_id: plan.id,
    order_id: order.id,
    ...span,
    credit_cents: order.lines[0]?.credit_cents ?? 0,
    status: 'open',
    created_at: now,
  } as const
  await asOneStatement(tx, () => [insertPeriod(tx, period)])
  const isOrderPaid = order.financial_status !== 'pending'
  const payments = isOrderPaid ? [] : [await addCharge(tx, order, before, now)]
  return { ...period, isOrderPaid, isOrderCancelled: false, payments }
}

async function sellPeriod(
  tx: Tx,
  before: SubscriptionState,
  plan: PlanState,
  span: Span,
  now: Date,
): Promise<OrderState> {
  const { company_id: companyId, id, source_name, gateway } = before
  const { input, ...terms } = await readPeriodSale(tx, before, plan, span)
  const buyer = { kind: 'token', token: before.customer_token, path: 'customer_token' } as const
  const sale = await prepareSale(tx, { companyId }, input, buyer, { source_name }, now, { plan: terms })
  const isFree = sale.pricing.totals.total === 0
  const channel = { source_name, gateway, financial_status: isFree ? 'paid' : 'pending', subscription_id: id } as const
  const sold = { ...sale, input: { ...input, confirmed: isFree } }
  return (await writeSale(tx, sold, channel, now)).state
}

/**
 * The attempt that the gateway is asked about: the one whose fate is not known, or a new one. Undefined: the customer has begun to
 * pay meanwhile.
 */
async function chargeFor(
  tx: Tx,
  { company_id, gateway, means_payment_id }: SubscriptionState,
  open: OpenPeriod,
  payment: PaymentState | undefined,
  now: Date,
): Promise<Charge | undefined> {
  // The customer may have chosen other means since: the gateway is asked about an attempt with those that it began with.
  const means = payment?.means_payment_id ?? means_payment_id
  const earlier = means === null ? undefined : await findPayment(tx, company_id, means)
  if (payment !== undefined) return { payment, earlier, attempt: open.payments.indexOf(payment) + 1 }
  const order = await lockOrder(tx, company_id, String(open.order_id))
  const payments = await readPaymentsOfOrder(tx, company_id, order.id)
  if (payments.length > open.payments.length || !isPayable(order)) return undefined
  return {
    payment: await addCharge(tx, order, { gateway, means_payment_id }, now),
    earlier,
    attempt: open.payments.length + 1,
  }
}
