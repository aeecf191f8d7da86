import { recordChange } from '#history/audit/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { asOneStatement } from '#platform/db/writes.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Author, Caller } from '#platform/identity/caller.ts'
import { randomToken } from '#platform/identity/crypto.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { requestInvoice } from '#selling/invoices/commands.ts'
import type { Buyer } from '#selling/orders/buyers/checks.commands.ts'
import { type PreparedSale, prepareSale, type SpecialTerms, writeSale } from '#selling/orders/commands.ts'
import { END_OPEN_PAYMENTS } from '#selling/orders/jobs.ts'
import { getOrderDocument, lockOrder } from '#selling/orders/queries.ts'
import { MANUAL, orderName } from '#selling/orders/rules.ts'
import type { Credit } from '#selling/orders/sale/credits.rules.ts'
import type { OrderInput } from '#selling/orders/schema.ts'
import { chooseGateway, followSubscription, type Settling, settleOrder } from '#selling/orders/settle.commands.ts'
import type { Channel, KnownAtCheckout, OrderState } from '#selling/orders/state.ts'
import { keepEarlyEvent, lockMoney, takeEarlyEvents } from './early-events.commands.ts'
import {
  creditOfTest,
  gatewayNotOffered,
  gatewayRequired,
  orderCancelled,
  paymentNotFlagged,
  tooManyPayments,
} from './errors.ts'
import type { Cards } from './gateways/gateway.ts'
import { gatewayNamed } from './gateways/table.facts.ts'
import { ASK_FOR_PAYMENT, WARN_OF_PAYMENT } from './jobs.ts'
import { presentPayment } from './present.ts'
import {
  findPayment,
  findPaymentByReference,
  getPayment,
  PAYMENTS,
  readParts,
  readPaymentsOfOrder,
  takeOffered,
} from './queries.ts'
import { insertPayment, savePayment } from './rows.commands.ts'
import {
  canSaveMeans,
  flagged,
  flagsOf,
  followReport,
  isChargeUnderWay,
  isPaid,
  isPayable,
  newPayment,
  PAYMENTS_MAX,
  paymentUnderWay,
  promisedCents,
  reservedUntil,
  shopChannel,
} from './rules.ts'
import type { Flag, GatewayName, MoneyEvent, PaymentState, Report } from './state.ts'

type Owner = Pick<Caller, 'companyId'>

/** An order of a shop with its payment; undefined if there is nothing to pay. */
export type Placed = {
  order: Written<OrderState>
  payment: PaymentState | undefined
  /** Has the gateway yet to hear of the payment? */
  isToStart: boolean
}

export type Placing = SpecialTerms & {
  known?: KnownAtCheckout & Pick<Channel, 'subscription_id'>
  source_name?: Channel['source_name']
  /** The customer pays again later, so that the gateway has to know how, also if there is nothing to pay now. */
  keepsMeans?: boolean
  /** The number of a test card, which decides on the payment at once. */
  card?: string | undefined
  /** Refuses the sale by throwing a problem. It is asked when the price is known, and before anything is sold. */
  approve?: (sale: PreparedSale) => Promise<void>
}

/**
 * Sells through a shop. The order is pending, and what was bought waits, until the payment arrives. An order that costs
 * nothing needs no gateway and is paid at once, and so is one that is paid with a test card.
 */
export async function placeOrder(
  tx: Tx,
  owner: Owner,
  input: OrderInput,
  buyer: Buyer,
  gateway: GatewayName | null,
  now: Date,
  { known = {}, keeps, plan, card, approve, source_name = 'webshop', keepsMeans = false }: Placing = {},
): Promise<Placed> {
  const [sale, { settings, paymentId } = NOTHING_OFFERED] = await Promise.all([
    prepareSale(tx, owner, input, buyer, { source_name }, now, { keeps, plan }),
    gateway === null ? undefined : getOffered(tx, owner.companyId, gateway),
  ])
  await approve?.(sale)
  const isFree = sale.pricing.totals.total === 0
  const needsGateway = settings !== undefined && (!isFree || (keepsMeans && settings.name !== MANUAL.gateway))
  if (!isFree && settings === undefined) throw validationFailed('gateway', gatewayRequired())
  const cards = settings && card !== undefined ? gatewayNamed(settings.name).kind.cards : undefined
  const tested = cards && card !== undefined ? { cards, card } : undefined
  const isPaid = !needsGateway || tested?.cards.paysAtOnce(tested.card) === true
  // An order that costs nothing uses no gateway, whichever the form names, unless something is to be paid later.
  const isTest = needsGateway ? settings.is_test : usesTest(sale)
  if (creditsOf(sale).some(({ test }) => test !== isTest)) throw creditOfTest()
  const sold = { ...sale, input: { ...input, confirmed: isPaid, test: isTest } }
  const name = needsGateway ? settings.name : 'Manual'
  const channel = { ...shopChannel(name, known), source_name, financial_status: isPaid ? 'paid' : 'pending' } as const
  const order = await writeSale(tx, sold, channel, now)
  if (!needsGateway) return { order, payment: undefined, isToStart: false }
  const reserved_until = reservedUntil(settings, buyer.kind === 'guest', now)
  const created = newPayment(order.state, settings.name, { id: paymentId, token: randomToken(), reserved_until }, now)
  const payment = tested === undefined ? created : followCard(created, tested, now)
  await addPayment(tx, order.state, payment, now, { isSandbox: sale.draft.sale.seller.sandbox })
  return { order, payment, isToStart: tested === undefined && payment.status === 'created' }
}

/** What was paid for rentals, as far as the sale is cheaper by it. */
function creditsOf({ draft, pricing }: PreparedSale): Credit[] {
  return draft.lines.flatMap(({ credit }, index) => ((pricing.credits[index] ?? 0) > 0 ? (credit ?? []) : []))
}

/** Nothing was paid for a test, so what it makes free is a test too. */
function usesTest(sale: PreparedSale): boolean {
  return creditsOf(sale).some(({ test }) => test)
}

type Tested = { cards: Cards; card: string }

/** The payment after the answer of a gateway that is a part of this program. */
function followCard(payment: PaymentState, { cards, card }: Tested, now: Date): PaymentState {
  const answer = cards.answer(payment, card)
  if (answer.kind === 'step') return payment
  return followReport(payment, { financial_status: 'pending', cancelled_at: null }, answer.report, now).payment
}

/** For an order that costs nothing. */
const NOTHING_OFFERED = { settings: undefined, paymentId: 0 }

async function getOffered(tx: Tx, companyId: number, name: GatewayName) {
  const offered = await takeOffered(tx, companyId, name)
  if (offered === undefined) throw validationFailed('gateway', gatewayNotOffered(name))
  return offered
}

export type Opening = {
  /** The number of a test card, which decides on the payment at once. */
  card?: string | undefined
  /** Earlier attempts that the gateway has not ended, although it was asked to. */
  left?: readonly PaymentState[]
  /** Does somebody pay who has not signed in? */
  isGuest?: boolean | undefined
}

/**
 * Another attempt to pay an order, with the same gateway or another one. A second press of the button at the same time gets
 * the payment of the first. Undefined: there is nothing left to pay.
 */
export async function openPayment(
  tx: Tx,
  { companyId }: Owner,
  orderId: number,
  gateway: GatewayName,
  now: Date,
  { card, left = [], isGuest = false }: Opening = {},
): Promise<PaymentState | undefined> {
  const { settings, paymentId } = await getOffered(tx, companyId, gateway)
  const order = await lockOrder(tx, companyId, String(orderId))
  if (!isPayable(order)) return undefined
  // A test stays one, and so does a sale.
  if (settings.is_test !== order.test) throw validationFailed('gateway', gatewayNotOffered(gateway))
  const earlier = await readPaymentsOfOrder(tx, companyId, order.id)
  // A worker may have begun to charge the order since the attempts were ended, and nobody knows yet what becomes of it.
  if (earlier.some(isChargeUnderWay)) return undefined
  const payment =
    paymentUnderWay(earlier, gateway, left) ??
    (await addAttempt(
      tx,
      order,
      gateway,
      { id: paymentId, reserved_until: reservedUntil(settings, isGuest, now) },
      earlier.length,
      now,
    ))
  // The order stays locked, so that the next press of the button finds it paid.
  const answer = card === undefined ? undefined : gatewayNamed(gateway).kind.cards?.answer(payment, card)
  return answer?.kind === 'reported' ? recordReport(tx, companyId, payment.id, answer.report, now) : payment
}

async function addAttempt(
  tx: Tx,
  order: OrderState,
  gateway: GatewayName,
  identity: Pick<PaymentState, 'id' | 'reserved_until'>,
  earlier: number,
  now: Date,
): Promise<PaymentState> {
  if (earlier >= PAYMENTS_MAX) throw tooManyPayments(order.id)
  const chosen = await chooseGateway(tx, order, gateway, now)
  const payment = newPayment(chosen, gateway, { ...identity, token: randomToken() }, now)
  await addPayment(tx, chosen, payment, now)
  return payment
}

/** Stores a new payment. Its row leaves with the next statement, or with the commit. */
async function addPayment(
  tx: Tx,
  order: OrderState,
  payment: PaymentState,
  now: Date,
  known: { isSandbox?: boolean } = {},
): Promise<void> {
  await asOneStatement(tx, () => [insertPayment(tx, payment)])
  if (payment.gateway !== MANUAL.gateway && !isPaid(payment)) return
  await requestInvoice(tx, order, now, { dueAt: payment.reserved_until, ...known })
  if (payment.gateway === MANUAL.gateway && order.customer_notification)
    await enqueue(tx, { kind: ASK_FOR_PAYMENT, companyId: order.company_id, data: { order_id: order.id } }, now)
}

/** A payment that nobody starts on a page: a bill, or a charge of what the customer has left with the gateway. */
export async function addCharge(
  tx: Tx,
  order: OrderState,
  { gateway, means_payment_id }: Pick<PaymentState, 'gateway' | 'means_payment_id'>,
  now: Date,
): Promise<PaymentState> {
  const { takeRowId } = await takeIds(tx, PAYMENTS, 1, 0)
  const off_session = gateway !== MANUAL.gateway
  const charged = { off_session, means_payment_id: off_session ? means_payment_id : null }
  const payment = newPayment(order, gateway, { id: takeRowId(), token: randomToken(), ...charged }, now)
  await addPayment(tx, order, payment, now)
  return payment
}

/** A payment of nothing beside an order that is settled, with which a gateway saves other means for the orders after it. */
export async function addAuthorization(
  tx: Tx,
  { companyId }: Owner,
  orderId: number,
  gateway: GatewayName,
  now: Date,
): Promise<PaymentState> {
  const { settings, paymentId } = await getOffered(tx, companyId, gateway)
  const order = await lockOrder(tx, companyId, String(orderId))
  if (settings.is_test !== order.test || !canSaveMeans(gateway))
    throw validationFailed('gateway', gatewayNotOffered(gateway))
  const earlier = await readPaymentsOfOrder(tx, companyId, order.id)
  if (earlier.length >= PAYMENTS_MAX) throw tooManyPayments(order.id)
  const created = newPayment(order, gateway, { id: paymentId, token: randomToken(), saves_means: true }, now)
  const payment = { ...created, amount_cents: 0 }
  await insertPayment(tx, payment)
  return payment
}

/** Sends the bill of an order that somebody of the company has made. */
export async function billOrder(tx: Tx, order: OrderState, now: Date): Promise<void> {
  const offered = await takeOffered(tx, order.company_id, 'Manual')
  if (offered === undefined) throw validationFailed('on_account', gatewayNotOffered('Manual'))
  await addPayment(tx, order, newPayment(order, 'Manual', { id: offered.paymentId, token: randomToken() }, now), now)
}

/** Remembers under which name the gateway knows the attempt. The order may have been cancelled while it was started. */
export async function noteAttempt(tx: Tx, companyId: number, id: number, externalId: string, now: Date): Promise<void> {
  await changePayment(tx, companyId, id, async ({ payment, order }) => {
    if (order.cancelled_at !== null)
      await enqueue(tx, { kind: END_OPEN_PAYMENTS, companyId, data: { order_id: order.id } }, now)
    return { ...payment, external_id: externalId }
  })
}

/** Writes a payment as a change makes it, while its order is locked. Undefined if there is no such payment. */
async function changePayment(
  tx: Tx,
  companyId: number,
  id: number,
  change: (known: { payment: PaymentState; order: OrderState }) => PaymentState | Promise<PaymentState>,
): Promise<PaymentState | undefined> {
  const seen = await findPayment(tx, companyId, id)
  if (seen === undefined) return undefined
  const [order, before = seen] = await Promise.all([
    lockOrder(tx, companyId, String(seen.order_id)),
    findPayment(tx, companyId, id),
  ])
  const after = await change({ payment: before, order })
  if (after !== before) await savePayment(tx, after)
  return after
}

/** Follows news of a payment, whether it comes from the gateway, the customer or the worker, and however often. */
export function recordReport(
  tx: Tx,
  companyId: number,
  id: number,
  report: Report,
  now: Date,
  options: Settling = {},
): Promise<PaymentState | undefined> {
  return changePayment(tx, companyId, id, ({ payment, order }) => applyReport(tx, payment, order, report, now, options))
}

async function applyReport(
  tx: Tx,
  before: PaymentState,
  order: OrderState,
  report: Report,
  now: Date,
  options: Settling,
): Promise<PaymentState> {
  const { payment, isSettled, newFlags } = followReport(before, order, report, now)
  const changesMeans = payment.saves_means && payment.status !== before.status
  const reference = payment.reference === before.reference ? null : payment.reference
  const [early] = await Promise.all([
    reference === null ? [] : takeEarlyEvents(tx, payment.company_id, reference),
    isSettled && settleOrder(tx, order, payment.gateway, now, options).then((paid) => requestInvoice(tx, paid, now)),
    warnOwner(tx, payment, newFlags, now),
    changesMeans && followSubscription(tx, order, now),
  ])
  return applyMoneyEvents(tx, payment, early, now)
}

export async function warnOwner(tx: Tx, payment: PaymentState, flags: readonly Flag[], now: Date): Promise<void> {
  const { company_id: companyId, id: payment_id } = payment
  await enqueue(
    tx,
    flags.map((flag) => ({ kind: WARN_OF_PAYMENT, companyId, data: { payment_id, flag } })),
    now,
  )
}

/** Follows news of money that was paid. It is kept if it comes before the news of the payment. */
export async function followMoneyEvent(tx: Tx, companyId: number, event: MoneyEvent, now: Date): Promise<void> {
  await lockMoney(tx, companyId, event.reference)
  const found = await findPaymentByReference(tx, companyId, event.reference)
  if (found === undefined) return keepEarlyEvent(tx, companyId, event, now)
  await changePayment(tx, companyId, found.id, ({ payment }) => applyMoneyEvents(tx, payment, [event], now))
}

async function applyMoneyEvents(
  tx: Tx,
  before: PaymentState,
  events: readonly MoneyEvent[],
  now: Date,
): Promise<PaymentState> {
  if (events.length === 0) return before
  const promised = promisedCents(before, await readParts(tx, before.company_id, [before.id]))
  const flags = events.flatMap((event) => flagsOf(event, before.refunded_cents + promised))
  const { payment, newFlags } = flagged(before, flags, now)
  await warnOwner(tx, payment, newFlags, now)
  return payment
}

/**
 * Notes that the money of an order has arrived some other way, such as by bank transfer. Money that arrived through a
 * gateway with another amount is accepted by it. Marking an order twice changes nothing.
 */
export async function markPaid(tx: Tx, author: Author, ref: string, now: Date): Promise<Written<OrderState>> {
  const { companyId } = author
  const order = await lockOrder(tx, companyId, ref)
  if (order.cancelled_at !== null) throw orderCancelled(order.id)
  const document = () => getOrderDocument(tx, companyId, ref)
  if (order.financial_status !== 'pending') return { state: order, document: await document() }
  const payments = await readPaymentsOfOrder(tx, companyId, order.id)
  const arrived = payments.find(isPaid)
  if (arrived === undefined) await payByHand(tx, order, payments, now)
  const state = await settleOrder(tx, order, arrived?.gateway ?? MANUAL.gateway, now)
  await requestInvoice(tx, state, now)
  await recordChange(tx, author, 'order marked as paid', orderName(order.id), now)
  return { state, document: await document() }
}

async function payByHand(tx: Tx, order: OrderState, payments: readonly PaymentState[], now: Date): Promise<void> {
  const bill = payments.find(({ gateway }) => gateway === MANUAL.gateway)
  const paid = { status: 'paid', paid_cents: order.total_cents, paid_at: now, updated_at: now } as const
  if (bill !== undefined) return savePayment(tx, { ...bill, ...paid })
  const { takeRowId } = await takeIds(tx, PAYMENTS, 1, 0)
  const payment = newPayment(order, 'Manual', { id: takeRowId(), token: randomToken() }, now)
  await insertPayment(tx, { ...payment, ...paid })
}

/** Notes that the owner has looked at a payment. */
export async function resolvePayment(tx: Tx, author: Author, ref: string, now: Date): Promise<Written<PaymentState>> {
  const { id } = await getPayment(tx, author.companyId, ref)
  const state = await changePayment(tx, author.companyId, id, async ({ payment }) => {
    if (payment.flags.length === 0) throw paymentNotFlagged(payment.id)
    await recordChange(tx, author, 'payment checked', `${payment.id}: ${payment.flags.join(', ')}`, now)
    return { ...payment, flags: [], updated_at: now }
  })
  if (state === undefined) throw new Error(`payment ${id} is gone`)
  return { state, document: asciiJson(presentPayment(state)) }
}
