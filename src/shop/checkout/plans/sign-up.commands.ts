import type { Tx } from '#platform/db/database.ts'
import { awaitedLater } from '#platform/errors/awaited-later.ts'
import { Problem } from '#platform/errors/problem.ts'
import type { PreparedSale } from '#selling/orders/commands.ts'
import { orderPath } from '#selling/orders/rules.ts'
import type { OrderState } from '#selling/orders/state.ts'
import { membershipConsentText } from '#selling/orders/withdrawals/consent.rules.ts'
import type { PaymentWork } from '#selling/payments/gateways/commands.ts'
import { gatewayNamed } from '#selling/payments/gateways/table.facts.ts'
import type { GatewayName, PaymentState } from '#selling/payments/state.ts'
import { getSubscription } from '#selling/subscriptions/queries.ts'
import type { AgreedPrice } from '#selling/subscriptions/sale/rules.ts'
import { type SignUpTerms, signUp } from '#selling/subscriptions/sign-up.commands.ts'
import { changeCart } from '../commands.ts'
import { detailsOf, mistakesIn } from '../details.rules.ts'
import { consentMissing, detailsMissing, priceChanged, tooManyOrders } from '../errors.ts'
import {
  buyerOf,
  countOrder,
  createCashier,
  knownOf,
  openForGuest,
  originOf,
  type Purchase,
} from '../place.commands.ts'
import { findPlacedOrder, lockCarts } from '../queries.ts'
import { contentsOf, mayWithdraw } from '../rules.ts'
import type { CheckoutDetails, PaymentStep } from '../state.ts'
import { orderOfSignUp, termsOf } from './rules.ts'
import { versionOfDetails } from './version.secrets.ts'

/** A sign-up as the page has shown it, and what the customer has entered. */
export type PlanPurchase = Purchase & {
  planId: number
  groupId: string
  gateway: GatewayName
  /** The texts of the form: who signs up, the price of a period in cents, and the terms. */
  shown: { details: string; price: string; terms: string }
}

type SignedUp = { order: OrderState; payment: PaymentState | undefined; sessionToken: string | undefined }

const isElsewhere = (gateway: GatewayName) => gatewayNamed(gateway).kind.isElsewhere

/** For how long a press of the button that comes again leads to what the first has made. */
const AGAIN_MS = 3_600_000

export function createSignUpCashier(work: PaymentWork) {
  const cashier = createCashier(work)
  return {
    offers: cashier.offers,
    takeAddress: cashier.takeAddress,
    /** Signs up, and starts the payment. Nothing is signed unless price and terms are still those that were shown. */
    async join(purchase: PlanPurchase): Promise<PaymentStep> {
      const done = await work.change((tx) => signUpOnce(tx, purchase, work.now(purchase.visit.shop.company_id)))
      if ('path' in done) return { order: done.path, leaves: isElsewhere(purchase.gateway), sessionToken: undefined }
      const { order, payment, sessionToken } = done
      const url = payment && (await startOrStay(payment, order, purchase))
      return { order: orderPath(order), leaves: url !== undefined, sessionToken }
    },
  }

  /** If the gateway does not answer, the customer pays from the page of the order, where everything is kept. */
  async function startOrStay(payment: PaymentState, order: OrderState, purchase: PlanPurchase) {
    try {
      return await cashier.resume(payment, order, purchase)
    } catch (error) {
      if (error instanceof Problem) return undefined
      throw error
    }
  }
}

/** The cart is locked, so that presses of the button at the same time sign up once. */
async function signUpOnce(tx: Tx, purchase: PlanPurchase, now: Date): Promise<SignedUp | { path: string }> {
  const { visit, shopper, place, planId, shown } = purchase
  const stored = contentsOf(shopper, await lockCarts(tx, shopper))
  const details = detailsOf(stored, visit)
  const path = await findSignedUp(tx, purchase, details, now)
  if (path !== undefined) return { path }
  if (Object.keys(mistakesIn({ ...details, is_gift: false }, false, now)).length > 0) throw detailsMissing()
  if (versionOfDetails(details) !== shown.details) throw priceChanged()
  // If the sign-up is refused first, that is the error to report.
  const counting = awaitedLater(countOrder(tx, purchase, now))
  const approve = async (sale: PreparedSale, price: AgreedPrice, terms: SignUpTerms) => {
    if ((await counting) > 0) throw tooManyOrders()
    assertAgreed(purchase, sale, price, terms)
  }
  const wish = {
    planId,
    approve,
    language: visit.language,
    source_name: 'webshop' as const,
    buyer: buyerOf(purchase),
    order: { ...orderOfSignUp(details, place), ...originOf(purchase) },
    payment: { kind: 'gateway' as const, name: purchase.gateway, card: purchase.card || undefined },
    known: knownOf(purchase, membershipConsentText(visit.language), now),
  }
  const { order, payment } = await signUp(tx, shopper, wish, now)
  const sessionToken = await openForGuest(tx, purchase, order, now)
  const joined = orderPath(order)
  await changeCart(tx, shopper, (cart) => ({ ...cart, details: { ...cart.details, joined } }), now)
  return { order, payment, sessionToken }
}

/** The sign-up to the same plan that this browser has just made, and that can still be finished or was. */
async function findSignedUp(
  tx: Tx,
  { shopper: { companyId, shopId }, planId, gateway }: PlanPurchase,
  { joined = '', email }: CheckoutDetails,
  now: Date,
): Promise<string | undefined> {
  const placed = joined === '' ? undefined : await findPlacedOrder(tx, companyId, shopId, joined)
  if (placed === undefined || placed.order.subscription_id === null || placed.order.cancelled_at !== null)
    return undefined
  const { order, payment } = placed
  if (order.email.toLowerCase() !== email.toLowerCase()) return undefined
  const subscription = await getSubscription(tx, companyId, String(order.subscription_id))
  const isRecent = now.getTime() - order.created_at.getTime() < AGAIN_MS
  if (subscription.plan_id !== planId || subscription.status === 'ended' || !isRecent) return undefined
  // The subscription may not have heard of the money yet.
  if (subscription.status !== 'incomplete' || order.financial_status !== 'pending') return placed.path
  // Another way to pay, and another try after a refusal, is a new sign-up that replaces this one.
  const isOpen = payment !== undefined && (payment.status === 'created' || payment.status === 'pending')
  return isOpen && payment.gateway === gateway ? placed.path : undefined
}

/** Throws unless this is what the customer has agreed to. */
function assertAgreed(
  { cart, place, agreed, consented, groupId, shown }: PlanPurchase,
  { pricing }: PreparedSale,
  price: AgreedPrice,
  { plan, trialDays }: SignUpTerms,
): void {
  if (!consented && mayWithdraw(cart, place.country)) throw consentMissing()
  const isSame =
    plan.group_id === groupId &&
    String(pricing.totals.total) === agreed.total &&
    pricing.currency === agreed.currency &&
    String(price.cents) === shown.price &&
    price.currency === agreed.currency &&
    termsOf(plan, trialDays) === shown.terms
  if (!isSame) throw priceChanged()
}
