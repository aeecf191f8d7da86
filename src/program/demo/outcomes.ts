import { smallestCents } from '#catalog/currency-rates/currencies.facts.ts'
import {
  changeFulfillment,
  followOrder,
  linesToShip,
  newFulfillment,
  SHIPPED,
  shipmentOf,
} from '#selling/orders/fulfillments/rules.ts'
import type { FulfillmentState } from '#selling/orders/fulfillments/state.ts'
import { newRefund, planRefund, refundOrder } from '#selling/orders/refunds/rules.ts'
import type { RefundInput } from '#selling/orders/refunds/schema.ts'
import { fulfillmentStatus } from '#selling/orders/rules.ts'
import { nextPart } from '#selling/orders/sale/totals.rules.ts'
import type { OrderState } from '#selling/orders/state.ts'
import type { PricedMethod } from '#selling/shipping-methods/state.ts'
import type { Random } from './random.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const NOTES = ['Damaged on the way.', 'Ordered twice.', 'The customer has changed their mind.', null]

/** The outcome of an order; most are just paid, and shipped if they have goods. */
export type Outcome = 'kept' | 'refunded' | 'partly refunded' | 'cancelled'

export function decideOutcome(random: Random): Outcome {
  const share = random.below(1000)
  if (share < 10) return 'cancelled'
  if (share < 25) return 'refunded'
  return share < 40 ? 'partly refunded' : 'kept'
}

export function isRefunded(outcome: Outcome): boolean {
  return outcome === 'refunded' || outcome === 'partly refunded'
}

/** An order with its fulfillment, if it has goods. */
type ShippableOrder = { order: OrderState; fulfillment: FulfillmentState | undefined }

type Ids = { refundId: () => number; takeId: () => number }

/** A later time, but not in the future. */
function later(time: Date, seconds: number, now: Date): Date {
  return new Date(Math.min(time.getTime() + seconds * 1000, now.getTime()))
}

/** Applies the outcome to an order, with the rules of the API. */
export function applyOutcome(
  random: Random,
  { order, method }: { order: OrderState; method: PricedMethod | undefined },
  outcome: Outcome,
  ids: Ids,
  now: Date,
): ShippableOrder {
  const hasGoods = order.lines.some(({ kind }) => kind === 'physical')
  const made = { order, fulfillment: hasGoods ? newFulfillment(order, method) : undefined }
  if (outcome === 'cancelled') return cancel(random, made, now)
  const shipped = ship(random, made, ids, now)
  return isRefunded(outcome) ? refund(random, shipped, outcome === 'refunded', ids, now) : shipped
}

/** The fulfillment after a change of the order. */
function follow(fulfillment: FulfillmentState | undefined, order: OrderState): FulfillmentState | undefined {
  if (fulfillment === undefined) return undefined
  const lines = linesToShip(order, fulfillment.shipped_lines)
  return followOrder({ ...fulfillment, lines }, order, order.updated_at)
}

/** Orders are cancelled soon: nothing was shipped, and goods are back in stock. */
function cancel(random: Random, { order: made, fulfillment }: ShippableOrder, now: Date): ShippableOrder {
  const cancelled_at = later(made.created_at, HOUR + random.below(12 * HOUR), now)
  const lines = made.lines.map((line) => ({ ...line, stock_taken: 0 }))
  const order = { ...made, lines, cancelled_at, updated_at: cancelled_at }
  return { order, fulfillment: follow(fulfillment, order) }
}

/** Goods are shipped within a few days; some still wait for their supplier. */
function ship(random: Random, made: ShippableOrder, { takeId }: Ids, now: Date): ShippableOrder {
  const at = new Date(made.order.created_at.getTime() + (4 * HOUR + random.below(3 * DAY)) * 1000)
  const waits = random.often(0.02)
  if (made.fulfillment === undefined || waits || at > now) return made
  const tracking_number = `00340434${String(random.below(1_000_000_000)).padStart(12, '0')}`
  const fulfillment = changeFulfillment(made.fulfillment, { status: SHIPPED, tracking_number }, { now: at, takeId })
  const shipment = shipmentOf(fulfillment)
  const order: OrderState = {
    ...made.order,
    fulfillment_status: fulfillmentStatus({ ...made.order, isShipped: true }),
    shipments: shipment === undefined ? [] : [shipment],
    updated_at: at,
  }
  return { order, fulfillment }
}

/** Refunds everything, or one unit of the first line, or half the price of a single item. */
function refundInput(order: OrderState, whole: boolean): RefundInput {
  const [line] = order.lines
  if (whole || line === undefined) return { all: true }
  if (order.lines.length > 1 || line.quantity > 1)
    return { refund_line_items: [{ line_item_id: line.id, quantity: 1 }] }
  return { amount: nextPart(order.total_cents, 0, 1, 2, smallestCents(order.currency)) }
}

function refund(
  random: Random,
  shipped: ShippableOrder,
  whole: boolean,
  { refundId, takeId }: Ids,
  now: Date,
): ShippableOrder {
  const before = shipped.order
  if (before.total_cents === 0) return shipped
  const at = later(before.updated_at, DAY + random.below(20 * DAY), now)
  const plan = planRefund(before, refundInput(before, whole))
  const input = { note: random.pick(NOTES) }
  const refunded = newRefund(before, input, plan, { id: refundId(), takeId, source: 'web', now: at })
  const order = refundOrder(before, refunded, plan, at)
  return { order, fulfillment: follow(shipped.fulfillment, order) }
}
