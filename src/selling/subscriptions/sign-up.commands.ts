import { readRates } from '#catalog/currency-rates/queries.ts'
import { readPrices } from '#catalog/prices/queries.ts'
import type { PriceForSale } from '#catalog/products/sale/state.ts'
import { recordChange } from '#history/audit/commands.ts'
import { findOwnCustomer } from '#people/customers/queries.ts'
import { findGroup } from '#people/groups/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Author, Caller } from '#platform/identity/caller.ts'
import { type Buyer, createBuyerChecks } from '#selling/orders/buyers/checks.commands.ts'
import { type PreparedSale, prepareSale, writeSale } from '#selling/orders/commands.ts'
import { noRate } from '#selling/orders/errors.ts'
import { MANUAL } from '#selling/orders/rules.ts'
import type { OrderInput } from '#selling/orders/schema.ts'
import type { Channel, KnownAtCheckout, OrderState } from '#selling/orders/state.ts'
import { placeOrder } from '#selling/payments/commands.ts'
import type { GatewayName, PaymentState } from '#selling/payments/state.ts'
import { findPlan } from '#selling/plans/queries.ts'
import type { PlanState } from '#selling/plans/state.ts'
import { giveUp } from './end.commands.ts'
import { alreadySubscribed, groupClosed, planNotOffered, planUnknown } from './errors.ts'
import { addDays, addIntervals } from './periods.rules.ts'
import { findCurrent, holdOpenPeriod, lockSubscription, SUBSCRIPTIONS, wasSubscribed } from './queries.ts'
import { followMember, insertPeriod, insertSubscription, note } from './rows.commands.ts'
import { commitment, isBilled, nextStep } from './rules.ts'
import { type AgreedPrice, free, planForSale, priceFor, titleOf } from './sale/rules.ts'
import type { SubscriptionInput } from './schema.ts'
import { readSettings } from './settings/queries.ts'
import type { PeriodState, SubscriptionState } from './state.ts'
import { tell } from './steps.commands.ts'

type Owner = Pick<Caller, 'companyId'>

/** How the first period is paid: it was, by other means, or it is through a gateway. */
export type FirstPayment = { kind: 'paid' } | { kind: 'gateway'; name: GatewayName; card?: string | undefined }

/** What somebody signs up to. */
export type SignUp = {
  planId: number
  buyer: Buyer
  /** Whatever else an order says, such as its currency, shop and addresses. */
  order: Omit<OrderInput, 'line_items'>
  payment: FirstPayment
  language: string
  source_name: 'api' | 'webshop'
  known?: KnownAtCheckout
  /** Free days in place of those of the plan. */
  trialDays?: number | undefined
  /** Refuses by throwing a problem. It is asked when price and terms are known, and before anything is sold. */
  approve?: (sale: PreparedSale, price: AgreedPrice, terms: SignUpTerms) => Promise<void>
}

/** What somebody signs up to, as it is at that time. */
export type SignUpTerms = { plan: PlanState; trialDays: number }

/** The subscription with the order of its first period. `payment` is what has to be started at its gateway, if anything. */
export type SignedUp = { subscription: SubscriptionState; order: OrderState; payment: PaymentState | undefined }

/**
 * Signs a customer up to a plan. The membership begins when the order of the first period is paid, or with a trial, whose order
 * costs nothing. Whoever was a member before gets no second trial. A sign-up that was never finished is replaced.
 */
export async function signUp(tx: Tx, owner: Owner, wish: SignUp, now: Date): Promise<SignedUp> {
  const { companyId } = owner
  const plan = await findPlan(tx, companyId, wish.planId)
  if (plan === undefined) throw validationFailed('plan_id', planUnknown())
  const group = await findGroup(tx, companyId, plan.group_id)
  if (!plan.valid) throw validationFailed('plan_id', planNotOffered())
  if (group === undefined || !group.valid) throw validationFailed('plan_id', groupClosed())
  const [price] = await readPrices(tx, companyId, [plan.price_id])
  if (price === undefined) throw validationFailed('plan_id', planNotOffered())
  const trialDays = (await isMember(tx, companyId, wish.buyer, plan)) ? 0 : (wish.trialDays ?? plan.trial_days)
  const { takeRowId } = await takeIds(tx, SUBSCRIPTIONS, 1, 0)
  const id = takeRowId()
  const sold: PriceForSale = trialDays > 0 ? free(price) : price
  const product = planForSale(plan, titleOf(plan, group, wish.language), sold)
  let agreed: AgreedPrice | undefined
  const approve = async (sale: PreparedSale) => {
    agreed = priceFor(price, sale.draft.sale, await readRates(tx))
    if (agreed === undefined) throw validationFailed('currency', noRate())
    await replaceUnfinished(tx, companyId, sale.customer.account.id, plan.group_id, now)
    await wish.approve?.(sale, agreed, { plan, trialDays })
  }
  const { order, payment, isToStart } = await sellFirst(tx, owner, wish, id, product, approve, now)
  if (agreed === undefined) throw new Error('a sale was made without a price')
  const subscription = newSubscription({ id, plan, order, payment, agreed, trialDays, wish, now })
  const settings = await readSettings(tx, companyId)
  const period = firstPeriod(subscription, order)
  const open = period.status === 'open' ? { ...period, id: 0, isOrderPaid: false, isOrderCancelled: false } : undefined
  const step = nextStep(subscription, {
    plan,
    settings,
    open: open && { ...open, payments: payment === undefined ? [] : [payment] },
    now,
  })
  const due = { ...subscription, due_at: step.kind === 'wait' ? step.until : now }
  await insertSubscription(tx, due)
  await insertPeriod(tx, period)
  await note(tx, due, 'signed_up', now, { plan: plan.title, order_id: order.id })
  if (due.status !== 'incomplete') {
    await note(tx, due, 'started', now, { order_id: order.id })
    await tell(tx, due, 'welcome', now, order.id)
  }
  await followMember(tx, undefined, due, now)
  return { subscription: due, order, payment: isToStart ? payment : undefined }
}

/** Is the buyer somebody who has had a subscription to the group? */
async function isMember(tx: Tx, companyId: number, buyer: Buyer, { group_id }: PlanState): Promise<boolean> {
  const email = buyer.kind === 'token' ? '' : buyer.kind === 'known' ? buyer.email : buyer.input.email
  const customer =
    buyer.kind === 'token'
      ? await findOwnCustomer(tx, companyId, 'token', buyer.token)
      : await findOwnCustomer(tx, companyId, 'email', email)
  return customer !== undefined && wasSubscribed(tx, companyId, customer.customer_id, group_id)
}

/**
 * A customer is in a group once. The customer is locked, so that two windows sign up one after the other. A sign-up whose money has
 * arrived is finished, although its subscription may not have heard of it yet.
 */
async function replaceUnfinished(
  tx: Tx,
  companyId: number,
  customerId: number,
  groupId: string,
  now: Date,
): Promise<void> {
  const found = await findCurrent(tx, companyId, customerId, groupId)
  if (found === undefined) return
  const current = await lockSubscription(tx, companyId, String(found.id))
  if (current.status === 'ended') return
  if (current.status !== 'incomplete') throw alreadySubscribed(groupId)
  if ((await holdOpenPeriod(tx, current))?.isOrderPaid) throw alreadySubscribed(groupId)
  await giveUp(tx, current, 'replaced', now)
}

type Sold = { order: OrderState; payment: PaymentState | undefined; isToStart: boolean }

async function sellFirst(
  tx: Tx,
  owner: Owner,
  { buyer, order: details, payment, source_name, known = {} }: SignUp,
  subscription_id: number,
  product: ReturnType<typeof planForSale>,
  approve: (sale: PreparedSale) => Promise<void>,
  now: Date,
): Promise<Sold> {
  const input: OrderInput = { ...details, line_items: [{ product_id: product.product_id, quantity: 1 }] }
  if (payment.kind === 'gateway') {
    const placed = await placeOrder(tx, owner, input, buyer, payment.name, now, {
      plan: { product },
      known: { ...known, subscription_id },
      keepsMeans: true,
      source_name,
      card: payment.card,
      approve,
    })
    return { order: placed.order.state, payment: placed.payment, isToStart: placed.isToStart }
  }
  const sale = await prepareSale(tx, owner, input, buyer, { source_name }, now, { plan: { product } })
  await approve(sale)
  const channel: Channel = { ...MANUAL, ...known, source_name, subscription_id }
  const { state } = await writeSale(tx, sale, channel, now)
  return { order: state, payment: undefined, isToStart: false }
}

type Beginning = {
  id: number
  plan: PlanState
  order: OrderState
  payment: PaymentState | undefined
  agreed: AgreedPrice
  trialDays: number
  wish: Pick<SignUp, 'source_name' | 'payment'>
  now: Date
}

function newSubscription({ id, plan, order, payment, agreed, trialDays, wish, now }: Beginning): SubscriptionState {
  const isSettled = order.financial_status === 'paid'
  const gateway = wish.payment.kind === 'gateway' ? wish.payment.name : 'Manual'
  const trialEnd = addDays(now, trialDays)
  const isTrial = trialDays > 0
  return {
    company_id: order.company_id,
    id,
    customer_id: order.customer_id,
    customer_token: order.customer_token,
    group_id: plan.group_id,
    plan_id: plan.id,
    status: isSettled ? (isTrial ? 'trialing' : 'active') : 'incomplete',
    ended_because: null,
    gateway,
    means_payment_id: isBilled({ gateway }) ? null : (payment?.id ?? null),
    next_means_payment_id: null,
    means_changed_at: null,
    source_name: wish.source_name,
    theme_setting_id: order.theme_setting_id,
    test: order.test,
    currency: agreed.currency,
    amount_cents: agreed.cents,
    announced_cents: null,
    announced_from: null,
    price_checked_at: now,
    credit_cents: 0,
    period_number: isTrial ? 0 : 1,
    period_start: now,
    period_end: isTrial ? trialEnd : addIntervals(now, plan, 1),
    anchor: isTrial ? trialEnd : now,
    renewals_left: plan.renewals,
    committed_until: commitment(plan, isTrial ? trialEnd : now),
    next_plan_id: null,
    ends_at: null,
    cancelled_at: null,
    paused_until: null,
    failures: 0,
    reminded_of: null,
    due_at: null,
    created_at: now,
    updated_at: now,
    ended_at: null,
  }
}

function firstPeriod(
  { company_id, id, plan_id, period_number, ...times }: SubscriptionState,
  order: OrderState,
): Omit<PeriodState, 'id'> {
  return {
    company_id,
    subscription_id: id,
    number: period_number,
    plan_id,
    order_id: order.id,
    starts_at: times.period_start,
    ends_at: times.period_end,
    credit_cents: 0,
    status: order.financial_status === 'paid' ? 'paid' : 'open',
    created_at: times.created_at,
  }
}

/** Finds out who is signed up. Somebody who is only an address chooses a password later, or never. */
export function createSignUpChecks(options: Parameters<typeof createBuyerChecks>[0]) {
  const identify = createBuyerChecks(options)
  return (companyId: number, { customer_token, email }: SubscriptionInput, acceptLanguage: string): Promise<Buyer> => {
    const named = {
      line_items: [],
      ...(customer_token === undefined ? {} : { customer_token }),
      ...(email === undefined ? {} : { email }),
    }
    return identify(companyId, named, { query: {}, acceptLanguage, mayBeGuest: true })
  }
}

/** Signs a customer up for an app or a user: the first period was paid by other means, is billed, or paid with a test card. */
export async function createSubscription(
  tx: Tx,
  author: Author,
  { plan_id, paid = false, test_card, trial_days, currency, theme_setting_id }: SubscriptionInput,
  buyer: Buyer,
  now: Date,
): Promise<SubscriptionState> {
  const payment: FirstPayment =
    test_card !== undefined
      ? { kind: 'gateway', name: 'Test', card: test_card }
      : paid
        ? { kind: 'paid' }
        : { kind: 'gateway', name: 'Manual' }
  const order = {
    ...(currency === undefined ? {} : { currency }),
    ...(theme_setting_id == null ? {} : { theme_setting_id }),
  }
  const wish: SignUp = {
    planId: plan_id,
    buyer,
    order,
    payment,
    language: '',
    source_name: 'api',
    trialDays: trial_days,
  }
  const { subscription } = await signUp(tx, author, wish, now)
  await recordChange(tx, author, 'subscription created', String(subscription.id), now)
  return subscription
}
