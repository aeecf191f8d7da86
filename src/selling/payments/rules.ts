import { awaitsGateway, isShipped, isUnpaidBill, MANUAL } from '#selling/orders/rules.ts'
import type { Channel, KnownAtCheckout, OrderState } from '#selling/orders/state.ts'
import { GATEWAY_NAMES, gatewayNamed } from './gateways/table.facts.ts'
import type {
  Flag,
  GatewayName,
  GatewaySettings,
  MoneyEvent,
  PartOfRefund,
  PaymentState,
  PaymentStatus,
  Report,
} from './state.ts'

/** How often a customer can try to pay an order. */
export const PAYMENTS_MAX = 20

/** For how many days a company that has set nothing else waits for the payment of a bill. */
export const PAYMENT_DUE_DAYS = 14

/**
 * For how many hours a company that has set nothing else waits for the bill of somebody who has not signed in. Anybody can
 * order with any address, so such a bill must not keep goods from others for long.
 */
export const GUEST_BILL_HOURS = 24

/** Money that arrives late counts, however the payment had ended before. */
const NEXT: Record<PaymentStatus, readonly PaymentStatus[]> = {
  created: ['pending', 'paid', 'failed', 'cancelled'],
  pending: ['paid', 'failed', 'cancelled'],
  failed: ['pending', 'paid', 'cancelled'],
  cancelled: ['pending', 'paid'],
  paid: ['partially_refunded', 'refunded'],
  partially_refunded: ['partially_refunded', 'refunded'],
  refunded: [],
}

export function mayBecome(from: PaymentStatus, to: PaymentStatus): boolean {
  return NEXT[from].includes(to)
}

/** Has money arrived? It may have gone back since. */
export function isPaid({ status }: Pick<PaymentState, 'status'>): boolean {
  return status === 'paid' || status === 'partially_refunded' || status === 'refunded'
}

/** The way to pay that a form names; undefined if there is no such way. */
export function readGatewayName(text: string): GatewayName | undefined {
  return GATEWAY_NAMES.find((name) => name === text)
}

/** How an order of a shop is sold: it is pending until its payment has arrived. */
export function shopChannel(gateway: GatewayName, known: KnownAtCheckout): Channel {
  return { source_name: 'webshop', gateway, financial_status: 'pending', ...known }
}

/** Can an order still be paid? */
export function isPayable({ financial_status, cancelled_at }: OrderState): boolean {
  return cancelled_at === null && financial_status === 'pending'
}

/**
 * The payment with which another press of the button goes on: one whose money is on its way, or an attempt with the same
 * gateway. A gateway that has not ended one of the `left` attempts, although it was asked to, does not hold up the customer.
 */
export function paymentUnderWay(
  payments: readonly PaymentState[],
  gateway: GatewayName,
  left: readonly PaymentState[],
): PaymentState | undefined {
  const isLeft = ({ id }: PaymentState) => left.some((one) => one.id === id)
  return payments.findLast(
    (payment) =>
      payment.status === 'pending' || (payment.status === 'created' && payment.gateway === gateway && !isLeft(payment)),
  )
}

/** Is the gateway being asked for money that nobody waits for on a page? */
export function isChargeUnderWay({ off_session, status }: PaymentState): boolean {
  return off_session && status === 'created'
}

/** Longer than a gateway takes to answer. */
const START_MS = 60_000

/** Was the program ended while it started a payment? Nobody knows the page of the gateway, so nobody can pay there. */
export function isNeverStarted({ gateway, external_id, created_at }: PaymentState, now: Date): boolean {
  return (
    gatewayNamed(gateway).kind.isElsewhere && external_id === null && now.getTime() - created_at.getTime() > START_MS
  )
}

/** Does the company offer the gateway? Some need a key. */
export function isOffered({ name, enabled, secrets }: GatewaySettings): boolean {
  return enabled && (gatewayNamed(name).kind.keys.length === 0 || secrets !== null)
}

/** The gateways that the shops of a company offer. Where money can be paid, nobody gets anything for a test card. */
export function offeredOf(gateways: readonly GatewaySettings[]): GatewaySettings[] {
  const offered = gateways.filter(isOffered)
  const isPretended = ({ name }: GatewaySettings) => gatewayNamed(name).kind.isPretended
  return offered.every(isPretended) ? offered : offered.filter((gateway) => !isPretended(gateway))
}

/** A payment of the whole order. */
export function newPayment(
  order: OrderState,
  gateway: GatewayName,
  identity: Pick<PaymentState, 'id' | 'token'> &
    Partial<Pick<PaymentState, 'reserved_until' | 'off_session' | 'saves_means' | 'means_payment_id'>>,
  now: Date,
): PaymentState {
  return {
    reserved_until: null,
    off_session: false,
    saves_means: false,
    means_payment_id: null,
    ...identity,
    company_id: order.company_id,
    order_id: order.id,
    gateway,
    // A bill asks the customer for nothing but the money.
    status: gateway === MANUAL.gateway ? 'pending' : 'created',
    test: order.test,
    amount_cents: order.total_cents,
    currency: order.currency,
    paid_cents: 0,
    refunded_cents: 0,
    external_id: null,
    reference: null,
    failure: null,
    flags: [],
    created_at: now,
    updated_at: now,
    paid_at: null,
  }
}

/** A payment after news of it, whether the order is paid by it, and what the owner has to look at. */
export type Followed = { payment: PaymentState; isSettled: boolean; newFlags: Flag[] }

type Awaiting = Pick<OrderState, 'financial_status' | 'cancelled_at'>

/** Follows news of a payment. The same news a second time changes nothing. */
export function followReport(before: PaymentState, order: Awaiting, report: Report, now: Date): Followed {
  if (report.kind === 'open') return { payment: before, isSettled: false, newFlags: [] }
  if (report.kind === 'paid') return followMoney(before, order, report, now)
  if (!mayBecome(before.status, report.kind)) return { payment: before, isSettled: false, newFlags: [] }
  const payment: PaymentState = {
    ...before,
    status: report.kind,
    reference: report.kind === 'pending' ? (report.reference ?? before.reference) : before.reference,
    failure: report.kind === 'failed' ? report.failure : before.failure,
    updated_at: now,
  }
  return { payment, isSettled: false, newFlags: [] }
}

type Money = Extract<Report, { kind: 'paid' }>

function followMoney(before: PaymentState, order: Awaiting, money: Money, now: Date): Followed {
  if (before.saves_means) return followAuthorization(before, money, now)
  if (isPaid(before)) {
    const isSame = money.reference === null || money.reference === before.reference
    return { ...flagged(before, isSame ? [] : ['paid_twice'], now), isSettled: false }
  }
  const isRight = money.amountCents === before.amount_cents && money.currency === before.currency
  const isAwaited = order.financial_status === 'pending'
  const flags: Flag[] = [
    ...(isRight ? [] : ['amount_differs' as const]),
    ...(isAwaited ? [] : ['paid_twice' as const]),
    ...(order.cancelled_at === null ? [] : ['order_cancelled' as const]),
  ]
  const payment: PaymentState = {
    ...before,
    status: 'paid',
    paid_cents: money.amountCents,
    reference: money.reference ?? before.reference,
    failure: null,
    paid_at: now,
    updated_at: now,
  }
  return { ...flagged(payment, flags, now), isSettled: isRight && isAwaited }
}

/** The means are saved. No money was asked for, and the order of the payment is not paid by it. */
function followAuthorization(before: PaymentState, { reference }: Money, now: Date): Followed {
  if (isPaid(before)) return { payment: before, isSettled: false, newFlags: [] }
  const saved = { status: 'paid', reference: reference ?? before.reference, failure: null } as const
  return { payment: { ...before, ...saved, paid_at: now, updated_at: now }, isSettled: false, newFlags: [] }
}

/** The payment with flags, and those of them that it did not have yet. */
export function flagged(
  payment: PaymentState,
  flags: readonly Flag[],
  now: Date,
): { payment: PaymentState; newFlags: Flag[] } {
  const newFlags = flags.filter((flag) => !payment.flags.includes(flag))
  if (newFlags.length === 0) return { payment, newFlags }
  return { payment: { ...payment, flags: [...payment.flags, ...newFlags], updated_at: now }, newFlags }
}

/**
 * What the owner has to look at after news of money. `ownCents` is what our own refunds have returned or are about to: the
 * owner may have used the gateway's dashboard.
 */
export function flagsOf(event: MoneyEvent, ownCents: number): Flag[] {
  if (event.kind === 'disputed') return ['disputed']
  if (event.kind === 'refund failed') return ['refund_failed']
  return event.refundedCents > ownCents ? ['refunded_elsewhere'] : []
}

/** The payment after some of its money went back. */
export function withRefund(payment: PaymentState, amountCents: number, now: Date): PaymentState {
  const refunded_cents = payment.refunded_cents + amountCents
  const status = refunded_cents >= payment.paid_cents ? 'refunded' : 'partially_refunded'
  return { ...payment, refunded_cents, status, updated_at: now }
}

/** How much of a payment refunds are about to return. */
export function promisedCents({ id }: Pick<PaymentState, 'id'>, parts: readonly PartOfRefund[]): number {
  return parts
    .filter(({ payment_id, status }) => payment_id === id && status === 'pending')
    .reduce((sum, { amount_cents }) => sum + amount_cents, 0)
}

/**
 * Through which payments a refund goes back: the oldest first, each as far as it has money left that is not promised to
 * other refunds. The rest, such as of an order that was marked as paid, is returned by the owner.
 */
export function planReturn(
  refund: { id: number; amount_cents: number },
  payments: readonly PaymentState[],
  others: readonly PartOfRefund[],
  now: Date,
): PartOfRefund[] {
  let left = refund.amount_cents
  return payments.flatMap((payment): PartOfRefund[] => {
    if (!isPaid(payment) || payment.gateway === MANUAL.gateway) return []
    const free = payment.paid_cents - payment.refunded_cents - promisedCents(payment, others)
    const amount_cents = Math.min(left, Math.max(0, free))
    if (amount_cents === 0) return []
    left -= amount_cents
    return [
      {
        company_id: payment.company_id,
        refund_id: refund.id,
        payment_id: payment.id,
        amount_cents,
        status: 'pending',
        external_id: null,
        error: null,
        attempt: 1,
        created_at: now,
        updated_at: now,
      },
    ]
  })
}

/** Has the customer of an order given up? A payment whose money is on its way is waited for. */
export function isAbandoned(order: OrderState, payments: readonly PaymentState[]): boolean {
  const isOver = payments.every(({ status }) => status === 'failed' || status === 'cancelled')
  return awaitsGateway(order) && order.cancelled_at === null && isOver
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Until when the payment of somebody who has not signed in keeps goods from others; null for anything but such a bill. */
export function reservedUntil(
  { name, guest_bill_hours }: Pick<GatewaySettings, 'name' | 'guest_bill_hours'>,
  isGuest: boolean,
  now: Date,
): Date | null {
  if (!isGuest || name !== MANUAL.gateway || guest_bill_hours === 0) return null
  return new Date(now.getTime() + guest_bill_hours * HOUR_MS)
}

/**
 * Has the time to pay a bill run out? Money that is on its way or has arrived in another amount is waited for, and goods that
 * were shipped before the payment are not taken back.
 */
export function isOverdue(order: OrderState, payments: readonly PaymentState[], days: number, now: Date): boolean {
  if (order.cancelled_at !== null || !isUnpaidBill(order) || isShipped(order)) return false
  const others = payments.filter(({ gateway }) => gateway !== MANUAL.gateway)
  if (others.some(({ status }) => status === 'created' || status === 'pending') || payments.some(isPaid)) return false
  const end = billEnd(order, payments, days)
  return end !== null && end <= now
}

/** When a bill is cancelled that nobody has paid; null: never. */
export function billEnd(
  order: Pick<OrderState, 'created_at'>,
  payments: readonly PaymentState[],
  days: number,
): Date | null {
  const bill = payments.find(({ gateway }) => gateway === MANUAL.gateway)
  if (bill?.reserved_until != null) return bill.reserved_until
  return days === 0 ? null : new Date((bill ?? order).created_at.getTime() + days * DAY_MS)
}

/** Bills that end sooner are said to end at a time of day, not on a day. */
const BRIEF_MS = 2 * DAY_MS

/** Does a bill end so soon that the time of day matters? */
export function endsSoon(end: Date, now: Date): boolean {
  return end.getTime() - now.getTime() <= BRIEF_MS
}

/** The address to which a gateway sends its events. */
export function webhookUrl(baseUrl: string, companyId: number, gateway: GatewayName): string {
  return `${baseUrl}/payments/${companyId}/${gatewayNamed(gateway).key}`
}

/** Can a gateway charge later what a customer has paid with? Bills are paid by the customer each time. */
export function canSaveMeans(gateway: GatewayName): boolean {
  return gateway !== MANUAL.gateway
}

/** Is the customer asked for a second step on a page of the shop, and not on one of the gateway? */
export function asksInShop({ gateway }: Pick<PaymentState, 'gateway'>): boolean {
  return gatewayNamed(gateway).kind.cards !== undefined
}

/** The settings of a gateway that the company has never set. */
export function newGateway(companyId: number, name: GatewayName, now: Date): GatewaySettings {
  return {
    company_id: companyId,
    name,
    enabled: false,
    instructions: '',
    secrets: null,
    key_hint: '',
    is_test: gatewayNamed(name).kind.isPretended,
    payment_due_days: PAYMENT_DUE_DAYS,
    guest_bill_hours: GUEST_BILL_HOURS,
    updated_at: now,
  }
}
