import { readPrices } from '#catalog/prices/queries.ts'
import { findOwnCustomer } from '#people/customers/queries.ts'
import { emptyRelation } from '#people/customers/rules.ts'
import { findGroup } from '#people/groups/queries.ts'
import { titleIn } from '#people/groups/rules.ts'
import type { Db } from '#platform/db/database.ts'
import { Problem } from '#platform/errors/problem.ts'
import { sameBytes } from '#platform/identity/crypto.ts'
import { readOrders } from '#selling/orders/queries.ts'
import { orderName, readOrderPath } from '#selling/orders/rules.ts'
import { quoteOrder } from '#selling/orders/sale/quote.queries.ts'
import type { OrderState } from '#selling/orders/state.ts'
import { findPayment } from '#selling/payments/queries.ts'
import type { PaymentState } from '#selling/payments/state.ts'
import { getPlan, readPlansOfGroup } from '#selling/plans/queries.ts'
import { textsIn } from '#selling/plans/rules.ts'
import type { PlanState } from '#selling/plans/state.ts'
import { readOpenPayment } from '#selling/subscriptions/owed/queries.ts'
import { offerPlan, priceOf } from '#selling/subscriptions/plan-change/queries.ts'
import {
  findOpenPeriod,
  getSubscription,
  readChanges,
  readPeriods,
  readSubscriptionsOf,
} from '#selling/subscriptions/queries.ts'
import { nextSpan } from '#selling/subscriptions/rules.ts'
import { readPeriodSale } from '#selling/subscriptions/sale/period.queries.ts'
import type { SubscriptionState } from '#selling/subscriptions/state.ts'
import { shopPageNotFound } from '#shop/site/errors.ts'
import { agreedNext, cardOf, choicesOf, nextStart, priceOfPeriod, shownChange, shownOffer } from './present.ts'
import type { NextPayment, PlanChoice, ShownPeriod, SubscriptionCard } from './state.ts'

/** More subscriptions than anybody looks through. */
const LISTED_MAX = 50
const PERIODS_MAX = 24
const CHANGES_MAX = 30

export type Owner = { companyId: number; customerId: number }

/** The subscriptions of a customer, those that have ended last. */
export async function readOwnSubscriptions(
  db: Db,
  { companyId, customerId }: Owner,
  language: string,
  now: Date,
): Promise<SubscriptionCard[]> {
  const all = (await readSubscriptionsOf(db, companyId, customerId, LISTED_MAX)).filter(isShown)
  const inOrder = all.toSorted((one, other) => Number(one.status === 'ended') - Number(other.status === 'ended'))
  return Promise.all(inOrder.map((each) => readCard(db, each, language, now)))
}

/** A sign-up that was never finished is no subscription for its customer. */
function isShown({ ended_because }: SubscriptionState): boolean {
  return ended_because !== 'abandoned' && ended_because !== 'replaced'
}

async function readCard(
  db: Db,
  subscription: SubscriptionState,
  language: string,
  now: Date,
): Promise<SubscriptionCard> {
  const { company_id, group_id, plan_id } = subscription
  const [group, plan] = await Promise.all([
    findGroup(db, company_id, group_id),
    getPlan(db, company_id, String(plan_id)),
  ])
  return cardOf(subscription, { group, plan, next: await findNextPayment(db, subscription, plan, now), language })
}

/** One of the subscriptions of a customer; anybody else's is not found. */
export async function getOwnSubscription(
  db: Db,
  { companyId, customerId }: Owner,
  ref: string,
): Promise<SubscriptionState> {
  const subscription = await getSubscription(db, companyId, ref)
  if (subscription.customer_id !== customerId || !isShown(subscription)) throw shopPageNotFound()
  return subscription
}

/** What the next period costs, with the taxes of today and what is credited; undefined if none follows. */
export async function findNextPayment(
  db: Db,
  subscription: SubscriptionState,
  current: PlanState,
  now: Date,
): Promise<NextPayment | undefined> {
  const on = nextStart(subscription, current, now)
  if (on === undefined) return undefined
  const { company_id, customer_id, customer_token, next_plan_id, source_name } = subscription
  const agreed = agreedNext(subscription, on)
  const plan = next_plan_id === null ? current : await getPlan(db, company_id, String(next_plan_id))
  const [{ input, ...terms }, own] = await Promise.all([
    readPeriodSale(db, subscription, plan, { ...nextSpan(subscription, plan, now), starts_at: on }),
    findOwnCustomer(db, company_id, 'token', customer_token),
  ])
  try {
    const nobody = emptyRelation(company_id, customer_id, now)
    const quote = await quoteOrder(db, company_id, input, own ?? nobody, now, { plan: terms, channel: { source_name } })
    return { ...agreed, cents: quote.pricing.totals.total }
  } catch (problem) {
    // Such as a company that sells nothing at the moment.
    if (!(problem instanceof Problem)) throw problem
    return agreed
  }
}

/** A plan whose price cannot be converted has none. */
function unpriced(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error
}

/** The other plans of the group, with what they cost this customer. */
async function readPlanChoices(db: Db, subscription: SubscriptionState, language: string): Promise<PlanChoice[]> {
  const { company_id, group_id, plan_id, next_plan_id, currency } = subscription
  const plans = (await readPlansOfGroup(db, company_id, group_id)).filter(({ id }) => id !== plan_id)
  const prices = await readPrices(db, company_id, [...new Set(plans.map(({ price_id }) => price_id))])
  const priced = plans.filter(({ price_id }) => prices.some(({ id }) => id === price_id))
  const choices = await Promise.all(
    priced.map(async (plan) => {
      const cents = await priceOf(db, subscription, plan).catch(unpriced)
      if (cents === undefined) return []
      const { title, description } = textsIn(plan, language)
      const price = priceOfPeriod(plan, cents, currency)
      return [{ id: plan.id, title, description, price, is_next: plan.id === next_plan_id }]
    }),
  )
  return choices.flat()
}

export type ReadDocuments = (companyId: number, orderId: number) => Promise<ShownPeriod['documents']>

async function readShownPeriods(
  db: Db,
  { company_id, id }: SubscriptionState,
  readDocuments: ReadDocuments,
): Promise<ShownPeriod[]> {
  const periods = await readPeriods(db, company_id, id, PERIODS_MAX)
  const orders = await readOrders(
    db,
    company_id,
    periods.map(({ order_id }) => order_id),
  )
  const byId = new Map(orders.map((order) => [order.id, order]))
  return Promise.all(
    periods.flatMap(({ order_id, number, starts_at, ends_at, status }) => {
      const order = byId.get(order_id)
      if (order === undefined) return []
      const shown = { number, starts_at, ends_at, status, order_id, order_name: orderName(order_id) }
      const { total_cents: cents, currency } = order
      return [readDocuments(company_id, order_id).then((documents) => ({ ...shown, cents, currency, documents }))]
    }),
  )
}

/** A subscription with everything that its page shows but the means of payment, for which the gateway is asked. */
export async function readSubscriptionPage(
  db: Db,
  subscription: SubscriptionState,
  { language, readDocuments, now }: { language: string; readDocuments: ReadDocuments; now: Date },
) {
  const { company_id, plan_id, next_plan_id, announced_cents, announced_from, currency } = subscription
  const [card, plan, nextPlan, open, plans, periods, changes] = await Promise.all([
    readCard(db, subscription, language, now),
    getPlan(db, company_id, String(plan_id)),
    next_plan_id === null ? undefined : getPlan(db, company_id, String(next_plan_id)),
    findOpenPeriod(db, subscription),
    readPlanChoices(db, subscription, language),
    readShownPeriods(db, subscription, readDocuments),
    readChanges(db, subscription, CHANGES_MAX),
  ])
  const isAnnounced = next_plan_id === null && announced_cents !== null && announced_from !== null
  return {
    subscription: {
      ...card,
      group_id: subscription.group_id,
      description: textsIn(plan, language).description,
      since: subscription.created_at,
      period_end: subscription.period_end,
      ended_because: subscription.ended_because ?? '',
      committed_until: subscription.committed_until ?? undefined,
      credit_cents: subscription.credit_cents,
      is_test: subscription.test,
      /** Another price that counts from a day. */
      announced: isAnnounced ? { cents: announced_cents, currency, from: announced_from } : undefined,
      /** Another plan that begins with the next period. */
      next_plan: nextPlan && {
        title: textsIn(nextPlan, language).title,
        from: announced_from ?? subscription.period_end,
      },
    },
    open: await readOpenPayment(db, subscription, open),
    choices: choicesOf(subscription, open, { plan, plans, now }),
    periods,
    /** What happened, the latest first. */
    history: changes.map((change) => shownChange(change, currency)),
  }
}

export type SubscriptionPageValues = Awaited<ReturnType<typeof readSubscriptionPage>>

/** The order of a period, by the secret address of its page; undefined if there is none. All shops of the company have it. */
export async function findPeriodOrder(db: Db, companyId: number, ref: string): Promise<OrderState | undefined> {
  const path = readOrderPath(ref)
  const [order] = path === undefined ? [] : await readOrders(db, companyId, [Number(path.id)])
  if (path === undefined || order === undefined || order.subscription_id === null) return undefined
  return sameBytes(Buffer.from(order.checkout_token), Buffer.from(path.token)) ? order : undefined
}

/** The payment with which the customer is changing the means; undefined if that has not begun. */
export async function findBegun(db: Db, subscription: SubscriptionState): Promise<PaymentState | undefined> {
  const { company_id, next_means_payment_id: next } = subscription
  return next === null ? undefined : findPayment(db, company_id, next)
}

/** The path of the page on which an open period is paid; undefined if none is open. */
export async function findOpenPage(db: Db, subscription: SubscriptionState): Promise<string | undefined> {
  const open = await readOpenPayment(db, subscription, await findOpenPeriod(db, subscription))
  return open && `/subscriptions/${open.token}`
}

/** What a change of plan costs, at once and with the next period. */
export async function readPlanOffers(
  db: Db,
  subscription: SubscriptionState,
  planId: number,
  language: string,
  now: Date,
) {
  const { company_id, group_id, status, id, period_end } = subscription
  const ways = status === 'active' ? (['now', 'period_end'] as const) : (['period_end'] as const)
  const [group, ...offers] = await Promise.all([
    findGroup(db, company_id, group_id),
    ...ways.map((at) => offerPlan(db, subscription, { planId, at }, now)),
  ])
  const plan = offers[0]?.plan ?? (await getPlan(db, company_id, String(planId)))
  const { interval, interval_count } = plan
  return {
    subscription: { id, title: group === undefined ? group_id : titleIn(group, language), period_end },
    plan: { id: plan.id, title: textsIn(plan, language).title, interval, interval_count },
    offers: offers.map(shownOffer),
  }
}

/** What the page behind a mailed link is about; undefined if there is no such period. */
export async function findLinkedPeriod(db: Db, companyId: number, token: string) {
  const order = await findPeriodOrder(db, companyId, token)
  if (order === undefined) return undefined
  const subscription = await getSubscription(db, companyId, String(order.subscription_id))
  const open = await findOpenPeriod(db, subscription)
  const isOpen = open?.order_id === order.id && !open.isOrderPaid && !open.isOrderCancelled
  return { order, subscription, open: isOpen ? open : undefined, token }
}

export type LinkedPeriod = NonNullable<Awaited<ReturnType<typeof findLinkedPeriod>>>

/** What the page behind a mailed link says of the period. */
export async function readLinkedPage(db: Db, { order, subscription, open: period }: LinkedPeriod, language: string) {
  const { company_id, group_id, plan_id, id, period_end } = subscription
  const [open, group, plan] = await Promise.all([
    readOpenPayment(db, subscription, period),
    findGroup(db, company_id, group_id),
    getPlan(db, company_id, String(plan_id)),
  ])
  const isPaid = order.cancelled_at === null && order.financial_status !== 'pending'
  const state = isPaid ? 'paid' : open === undefined ? 'over' : open.is_under_way ? 'under_way' : 'open'
  const title = group === undefined ? group_id : titleIn(group, language)
  return { state, open, period_end, subscription: { id, title, plan: textsIn(plan, language).title } } as const
}
