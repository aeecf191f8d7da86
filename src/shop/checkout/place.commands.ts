import { isDeepStrictEqual } from 'node:util'
import { addressLimit, hidden, takeAttempt } from '#identity/attempts/guard.ts'
import { findWait } from '#identity/attempts/queries.ts'
import { normalizeEmail, type Policy } from '#identity/attempts/rules.ts'
import type { FieldPaths } from '#people/customers/rules.ts'
import { addOrderToSession, startCustomerSession } from '#people/customers/sessions/commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { awaitedLater } from '#platform/errors/awaited-later.ts'
import { giveSoldCodes } from '#rights/redemption-codes/gifts/commands.ts'
import type { Buyer } from '#selling/orders/buyers/checks.commands.ts'
import { countUnpaid } from '#selling/orders/buyers/queries.ts'
import type { PreparedSale } from '#selling/orders/commands.ts'
import { orderName, orderPath } from '#selling/orders/rules.ts'
import type { KnownAtCheckout, OrderState } from '#selling/orders/state.ts'
import { consentText } from '#selling/orders/withdrawals/consent.rules.ts'
import { placeOrder } from '#selling/payments/commands.ts'
import type { PaymentWork } from '#selling/payments/gateways/commands.ts'
import type { Answer, PaymentContext } from '#selling/payments/gateways/gateway.ts'
import { listOffers, type Offer, readBillEnd } from '#selling/payments/queries.ts'
import { readGatewayName } from '#selling/payments/rules.ts'
import { confirmPayment, openNextPayment, startPayment } from '#selling/payments/start.commands.ts'
import type { GatewayName, PaymentState } from '#selling/payments/state.ts'
import type { VatIdCheck } from '#selling/taxes/state.ts'
import { operatingSystemOf } from '#shop/site/browsers.rules.ts'
import type { ShopVisit } from '#shop/site/state.ts'
import { lockCartsOfBuyer } from './abandoned/queries.ts'
import { takeCart } from './commands.ts'
import { detailsOf, mistakesIn } from './details.rules.ts'
import { consentMissing, detailsMissing, priceChanged, tooManyOrders, tooMuchUnpaid } from './errors.ts'
import {
  endsBefore,
  keepsOf,
  mayWait,
  mayWithdraw,
  needsConsent,
  type OrderPlace,
  orderOf,
  piecesOf,
  rentalOwnerOf,
  withdrawalEnd,
  withdrawalOf,
} from './rules.ts'
import type { Contents, Landing, PaymentStep, Shopper } from './state.ts'

/** The browser of a customer who buys. */
export type Browser = { address: string; userAgent: string; acceptLanguage: string; origin: string }

export type Purchase = Browser & {
  visit: ShopVisit
  shopper: Shopper
  place: OrderPlace
  /** What the customer has seen and agreed to buy. */
  cart: Contents
  /** What the customer has seen and agreed to pay: the texts of the form, the total in cents. */
  agreed: { total: string; currency: string }
  /** The way to pay, as the form names it; empty for an order that costs nothing. */
  gateway: string
  /** The number of a test card; empty: none was entered. */
  card: string
  consented: boolean
  /** How the customer came to the shop, if that is known. */
  landing: Landing | undefined
  /** What the tax authorities said about the VAT id, if they were asked. */
  vatIdCheck: VatIdCheck | undefined
}

/** For one address: enough for a family, too few for a nuisance. */
const GUEST_ORDERS: Policy = { free: 10, longestSeconds: 3600, forgetSeconds: 86_400, forgives: 'itself' }

/** For one network, which many customers may share. */
const GUEST_ADDRESSES: Policy = { free: 100, longestSeconds: 900, forgetSeconds: 3600, forgives: 'itself' }

/** The places of the fields in the checkout's form. */
const PATHS: FieldPaths = {
  email: 'email',
  password: 'password',
  password_confirmation: 'password',
  details: '',
}

export type CheckoutOptions = Omit<PaymentWork, 'change' | 'baseUrl'> & {
  /** How the visitor came to the shop, if that is known. */
  findLanding: (companyId: number, browser: Pick<Browser, 'address' | 'userAgent'>) => Promise<Landing | undefined>
}

export function createCashier(work: PaymentWork) {
  /** Buys what is in the cart, and starts the payment. Nothing is sold unless the price is still the one that was shown. */
  async function buy(purchase: Purchase): Promise<PaymentStep> {
    const { order, payment, sessionToken } = await work.change((tx) =>
      placeCart(tx, purchase, work.now(purchase.visit.shop.company_id)),
    )
    const path = orderPath(order)
    const url = payment && (await start(payment, order, purchase, path, purchase.card))
    return { order: path, leaves: url !== undefined, sessionToken }
  }

  async function start(
    payment: PaymentState,
    order: OrderState,
    { visit, origin }: Pick<Purchase, 'visit' | 'origin'>,
    path: string,
    card: string,
  ): Promise<string | undefined> {
    const page = `${origin}${visit.base}/orders/${path}`
    const context: PaymentContext = {
      description: orderName(order.id),
      email: order.email,
      language: visit.language,
      returnUrl: `${page}?token=${payment.token}`,
      cancelUrl: page,
      card: card === '' ? undefined : card,
      ...(order.subscription_id === null ? {} : { keepsMeans: true }),
    }
    const { next } = await startPayment(work, payment.company_id, payment.id, context)
    return next.kind === 'redirect' ? next.url : undefined
  }

  /**
   * Another attempt to pay an order, which ends the one before. Returns the page of the gateway, if the customer has to go
   * there.
   */
  async function retry(
    order: OrderState,
    gateway: GatewayName,
    browser: Pick<Purchase, 'visit' | 'origin'>,
    card: string,
  ): Promise<string | undefined> {
    const isGuest = browser.visit.customer?.id !== order.customer_id
    const payment = await openNextPayment(work, order.company_id, order.id, gateway, { card, isGuest })
    return payment && start(payment, order, browser, orderPath(order), card)
  }

  return {
    buy,
    /** Shops may remind of carts by mail, so guests can enter only so many addresses. False: it was one too many. */
    async takeAddress({ customer }: ShopVisit, address: string): Promise<boolean> {
      if (customer !== undefined) return true
      const limits = [{ ...addressLimit(address, 'address at checkout'), policy: GUEST_ADDRESSES }]
      if ((await findWait(work.db, limits, nowInSeconds(work.clock))) > 0) return false
      await work.change((tx) => takeAttempt(tx, limits, nowInSeconds(work.clock)))
      return true
    },
    /** The page of the gateway at which a payment goes on; undefined if there is nothing to do there. */
    resume: (payment: PaymentState, order: OrderState, browser: Pick<Purchase, 'visit' | 'origin'>) =>
      start(payment, order, browser, orderPath(order), ''),
    retry,
    /** The customer is back from the gateway, or has answered a second step. */
    confirm: ({ company_id }: OrderState, token: string, answer: Answer) =>
      confirmPayment(work, company_id, token, answer),
    /** Until when a bill keeps what was ordered from others; undefined: for ever. */
    keptUntil: (order: OrderState): Promise<Date | undefined> =>
      readBillEnd(work.db, order, work.now(order.company_id)),
    offers: (companyId: number): Promise<Offer[]> => listOffers(work.db, companyId),
  }
}

/** `payment` is the one that has to be started at its gateway, if any. */
type PlacedCart = { order: OrderState; payment: PaymentState | undefined; sessionToken: string | undefined }

async function placeCart(tx: Tx, purchase: Purchase, now: Date): Promise<PlacedCart> {
  const { visit, shopper, place, cart, card } = purchase
  return takeCart(tx, shopper, now, async (locked) => {
    const known = knownOf(purchase, consentText(visit.language), now)
    const input = { ...orderOf(cart, place), ...originOf(purchase) }
    const owner = { companyId: shopper.companyId }
    // If the sale is refused first, that is the error to report.
    const counting = awaitedLater(countOrder(tx, purchase, now))
    const ofBuyer = awaitedLater(lockCartsOfBuyer(tx, shopper, detailsOf(cart, visit).email))
    const approve = async (sale: PreparedSale) => {
      // The customer may have changed the cart in another window.
      if (!isDeepStrictEqual(await locked, cart)) throw priceChanged()
      if ((await counting) > 0) throw tooManyOrders()
      assertAgreed(purchase, sale, now)
      await assertMayWait(tx, visit, sale)
    }
    const keeps = keepsOf(cart.lines, rentalOwnerOf(visit, cart.details.email))
    const placing = { known, keeps, approve, card: card === '' ? undefined : card }
    const gateway = readGatewayName(purchase.gateway) ?? null
    const placed = await placeOrder(tx, owner, input, buyerOf(purchase), gateway, now, placing)
    const { state: order } = placed.order
    if (cart.details.is_gift) await giveSoldCodes(tx, order, giftOf(cart, visit.language, now), now)
    const sessionToken = await openForGuest(tx, purchase, order, now)
    const payment = placed.isToStart ? placed.payment : undefined
    return { placed: orderPath(order), ofBuyer, result: { order, payment, sessionToken } }
  })
}

/** What an order keeps of what was asked at checkout. `text` is what the customer agrees to if it shall start at once. */
export function knownOf(
  { visit, cart, place, origin, consented, vatIdCheck }: Purchase,
  text: string,
  now: Date,
): KnownAtCheckout {
  return {
    isGuest: visit.customer === undefined,
    ...(visit.base === '' ? { host: new URL(origin).hostname } : {}),
    ...(mayWithdraw(cart, place.country) ? { withdrawal: withdrawalOf(consented, text, now) } : {}),
    ...(vatIdCheck === undefined ? {} : { vatIdCheck }),
  }
}

/** Throws unless this is the sale that the customer has agreed to. */
function assertAgreed(
  { visit, cart, place, agreed, consented }: Purchase,
  { draft: { lines }, pricing }: PreparedSale,
  now: Date,
): void {
  const hasGoods = lines.some(({ kind }) => kind === 'physical')
  if (Object.keys(mistakesIn(detailsOf(cart, visit), hasGoods, now)).length > 0) throw detailsMissing()
  if (!consented && needsConsent(lines, cart, place.country) && endsBefore(lines, withdrawalEnd(now)))
    throw consentMissing()
  // The customer may have chosen another currency in another window, in which the same number is another price.
  if (String(pricing.totals.total) !== agreed.total || pricing.currency !== agreed.currency) throw priceChanged()
}

/**
 * Throws if more would wait for its payment than one customer may leave waiting, or if one order that costs nothing has more
 * pieces than that. The customer is locked.
 */
async function assertMayWait(tx: Tx, visit: ShopVisit, { customer, draft, pricing }: PreparedSale): Promise<void> {
  const isGuest = visit.customer === undefined
  const { company_id, customer_id, last_order_id } = customer.own
  // Most guests order for the first time, and nothing of theirs can be waiting.
  const isCounted = last_order_id !== 0 && pricing.totals.total > 0
  const unpaid = isCounted ? await countUnpaid(tx, company_id, customer_id, isGuest) : { orders: 0, pieces: 0 }
  if (!mayWait(unpaid, piecesOf(draft.lines), isGuest)) throw tooMuchUnpaid()
}

/**
 * Anybody can have mails sent to any address by ordering, so guests can do it only so often. Returns the seconds to wait;
 * 0: the order is counted, if it is placed.
 */
export async function countOrder(tx: Tx, { visit, cart, address }: Purchase, now: Date): Promise<number> {
  if (visit.customer !== undefined) return 0
  const email = hidden(normalizeEmail(cart.details.email))
  const key = `guest order ${email} of ${visit.shop.company_id}`
  return takeAttempt(tx, [addressLimit(address, 'guest order'), { key, policy: GUEST_ORDERS }], now)
}

/**
 * Lets a guest use what was bought, in this browser. The guest may have typed any address, so the session is open for the
 * order alone.
 */
export async function openForGuest(
  tx: Tx,
  { visit, shopper, userAgent, address }: Purchase,
  order: OrderState,
  now: Date,
): Promise<string | undefined> {
  if (visit.customer !== undefined) return undefined
  if (visit.guest?.session.customerId === order.customer_id) {
    await addOrderToSession(tx, visit.guest.session, order.id)
    return undefined
  }
  const { companyId, shopId: themeSettingId } = shopper
  const session = { companyId, themeSettingId, customerId: order.customer_id, orderIds: [order.id], userAgent, address }
  return startCustomerSession(tx, session, now)
}

/** Where an order comes from. The device is the operating system, which the statistics of orders count. */
export function originOf({ address, userAgent, landing }: Purchase) {
  const system = operatingSystemOf(userAgent)
  return {
    browser_ip: address,
    device_id: system === 'unknown' ? null : system,
    landing_site: landing?.path ?? null,
    landing_site_ref: landing?.campaign || null,
    referring_site: landing?.referrer_host || null,
  }
}

export function buyerOf({ visit, acceptLanguage, place, cart: { details } }: Purchase): Buyer {
  if (visit.customer !== undefined) return { kind: 'token', token: visit.customer.token, path: 'email' }
  const { email, first_name, last_name } = details
  const input = { email, first_name, last_name, language: visit.language.split('-')[0] ?? 'en' }
  return { kind: 'guest', input, paths: PATHS, hints: { country: place.country, acceptLanguage } }
}

function giftOf({ details }: Contents, language: string, now: Date) {
  const day = details.gift_day === '' ? now : new Date(`${details.gift_day}T08:00:00Z`)
  return {
    email: details.gift_email,
    name: details.gift_name,
    giver: details.gift_from || `${details.first_name} ${details.last_name}`.trim(),
    message: details.gift_message,
    language: language.split('-')[0] ?? 'en',
    sendAt: day > now ? day : now,
  }
}
