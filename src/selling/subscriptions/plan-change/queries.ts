import { readRates } from '#catalog/currency-rates/queries.ts'
import { readPrices } from '#catalog/prices/queries.ts'
import { getSeller } from '#identity/companies/queries.ts'
import { findOwnCustomer } from '#people/customers/queries.ts'
import { emptyRelation } from '#people/customers/rules.ts'
import type { Db } from '#platform/db/database.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import { noRate } from '#selling/orders/errors.ts'
import { readOrders } from '#selling/orders/queries.ts'
import { quoteOrder } from '#selling/orders/sale/quote.queries.ts'
import { findPlan } from '#selling/plans/queries.ts'
import type { PlanState } from '#selling/plans/state.ts'
import { planNotOffered, planOfAnotherGroup, planUnknown, subscriptionNotChangeable } from '../errors.ts'
import { addIntervals, type Span } from '../periods.rules.ts'
import { findOpenPeriod, readPeriods } from '../queries.ts'
import { NO_OTHER_PLAN, termsAfter } from '../rules.ts'
import { readPeriodSale, restAt } from '../sale/period.queries.ts'
import { priceFor } from '../sale/rules.ts'
import type { SubscriptionState } from '../state.ts'
import type { PlanChange, PlanOffer } from './state.ts'

/** What a change of plan would cost now. Refuses what a change would refuse. */
export async function offerPlan(
  db: Db,
  before: SubscriptionState,
  { planId, at }: PlanChange,
  now: Date,
): Promise<PlanOffer> {
  const plan = await getOfferedPlan(db, before, planId)
  const amount_cents = await priceOf(db, before, plan)
  const { planned, span } = plannedChange(before, plan, amount_cents, at, now)
  const isNow = isAtOnce(before, plan, at)
  const rest = isNow ? await restAt(db, before, now) : 0
  const credited = { ...planned, credit_cents: before.credit_cents + rest }
  const { input, ...terms } = await readPeriodSale(db, credited, plan, span)
  const own = await findOwnCustomer(db, before.company_id, 'token', before.customer_token)
  const { pricing } = await quoteOrder(
    db,
    before.company_id,
    input,
    own ?? emptyRelation(before.company_id, before.customer_id, now),
    now,
    { plan: terms, channel: { source_name: before.source_name } },
  )
  const [credit_cents = 0] = pricing.credits
  const isSame = plan.id === before.plan_id
  const { committed_until, renewals_left: renewals } = isSame ? before : termsAfter(before, plan, span.starts_at)
  return {
    committed_until,
    renewals,
    terms: termsOf(plan),
    plan,
    at: isNow ? 'now' : 'period_end',
    ...span,
    amount_cents,
    credit_cents,
    total_cents: pricing.totals.total,
    currency: before.currency,
  }
}

export async function getOfferedPlan(db: Db, before: SubscriptionState, planId: number): Promise<PlanState> {
  const plan = await findPlan(db, before.company_id, planId)
  if (plan === undefined) throw validationFailed('plan_id', planUnknown())
  if (!plan.valid) throw validationFailed('plan_id', planNotOffered())
  if (plan.group_id !== before.group_id) throw validationFailed('plan_id', planOfAnotherGroup())
  const isRunning = before.status === 'active' || before.status === 'trialing'
  if (!isRunning || (await findOpenPeriod(db, before)) !== undefined) throw subscriptionNotChangeable(before.status)
  return plan
}

/** The terms of a plan as a word. */
function termsOf({ minimum_periods, renewals }: PlanState): string {
  return [minimum_periods, renewals ?? 'open'].join('.')
}

/** A trial runs to its end, whichever plan follows. */
export function isAtOnce(before: SubscriptionState, plan: PlanState, at: PlanChange['at']): boolean {
  return at === 'now' && plan.id !== before.plan_id && before.status === 'active'
}

/** The subscription with its next plan, and the first period of that. Going back to the plan of now takes a change back. */
export function plannedChange(
  before: SubscriptionState,
  plan: PlanState,
  cents: number,
  at: PlanChange['at'],
  now: Date,
): { planned: SubscriptionState; span: Span } {
  const starts_at = isAtOnce(before, plan, at) ? now : before.period_end
  const isSame = plan.id === before.plan_id
  const change = isSame ? NO_OTHER_PLAN : { next_plan_id: plan.id, announced_cents: cents, announced_from: starts_at }
  return {
    planned: { ...before, ...change, updated_at: now },
    span: { starts_at, ends_at: addIntervals(starts_at, plan, 1) },
  }
}

/** What a period of a plan costs this customer, in the currency of the subscription. */
export async function priceOf(db: Db, subscription: SubscriptionState, plan: PlanState): Promise<number> {
  const { company_id, currency } = subscription
  const [[price], [last], seller, rates] = await Promise.all([
    readPrices(db, company_id, [plan.price_id]),
    readPeriods(db, company_id, subscription.id, 1),
    getSeller(db, company_id),
    readRates(db),
  ])
  const [order] = last === undefined ? [] : await readOrders(db, company_id, [last.order_id])
  const found = price && priceFor(price, { country: order?.country_code ?? '', currency, seller }, rates)
  if (found === undefined) throw validationFailed('plan_id', noRate())
  return found.cents
}
