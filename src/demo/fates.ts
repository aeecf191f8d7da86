import { smallestCents } from '#currency-rates/currencies.ts'
import {
  changeFulfillment,
  followOrder,
  linesToShip,
  newFulfillment,
  SHIPPED,
  shipmentOf,
} from '#orders/fulfillments/rules.ts'
import type { FulfillmentState } from '#orders/fulfillments/state.ts'
import { newRefund, planRefund, refundOrder } from '#orders/refunds/rules.ts'
import type { RefundInput } from '#orders/refunds/schema.ts'
import { fulfillmentStatus } from '#orders/rules.ts'
import type { OrderState } from '#orders/state.ts'
import { nextPart } from '#orders/totals.ts'
import type { PricedMethod } from '#shipping-methods/state.ts'
import type { Chance } from './chance.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const NOTES = ['Damaged on the way.', 'Ordered twice.', 'The customer has changed their mind.', null]

/** The outcome of an order; most are just paid, and shipped if they have goods. */
export type Fate = 'kept' | 'refunded' | 'partly refunded' | 'cancelled'

export function decideFate(chance: Chance): Fate {
  const share = chance.below(1000)
  if (share < 10) return 'cancelled'
  if (share < 25) return 'refunded'
  return share < 40 ? 'partly refunded' : 'kept'
}

export function isRefunded(fate: Fate): boolean {
  return fate === 'refunded' || fate === 'partly refunded'
}

/** An order with its fulfillment, if it has goods. */
type Lived = { order: OrderState; fulfillment: FulfillmentState | undefined }

type Ids = { refundId: () => number; takeId: () => number }

/** A later time, but not in the future. */
function later(time: Date, seconds: number, now: Date): Date {
  return new Date(Math.min(time.getTime() + seconds * 1000, now.getTime()))
}

/** Applies the outcome to an order, with the rules of the API. */
export function live(
  chance: Chance,
  { order, method }: { order: OrderState; method: PricedMethod | undefined },
  fate: Fate,
  ids: Ids,
  now: Date,
): Lived {
  const hasGoods = order.lines.some(({ kind }) => kind === 'physical')
  const made = { order, fulfillment: hasGoods ? newFulfillment(order, method) : undefined }
  if (fate === 'cancelled') return cancel(chance, made, now)
  const shipped = ship(chance, made, ids, now)
  return isRefunded(fate) ? refund(chance, shipped, fate === 'refunded', ids, now) : shipped
}

/** The fulfillment after a change of the order. */
function follow(fulfillment: FulfillmentState | undefined, order: OrderState): FulfillmentState | undefined {
  if (fulfillment === undefined) return undefined
  const lines = linesToShip(order, fulfillment.shipped_lines)
  return followOrder({ ...fulfillment, lines }, order, order.updated_at)
}

/** Orders are cancelled soon: nothing was shipped, and goods are back in stock. */
function cancel(chance: Chance, { order: made, fulfillment }: Lived, now: Date): Lived {
  const cancelled_at = later(made.created_at, HOUR + chance.below(12 * HOUR), now)
  const lines = made.lines.map((line) => ({ ...line, stock_taken: 0 }))
  const order = { ...made, lines, cancelled_at, updated_at: cancelled_at }
  return { order, fulfillment: follow(fulfillment, order) }
}

/** Goods are shipped within a few days; some still wait for their supplier. */
function ship(chance: Chance, made: Lived, { takeId }: Ids, now: Date): Lived {
  const at = new Date(made.order.created_at.getTime() + (4 * HOUR + chance.below(3 * DAY)) * 1000)
  const waits = chance.often(0.02)
  if (made.fulfillment === undefined || waits || at > now) return made
  const tracking_number = `00340434${String(chance.below(1_000_000_000)).padStart(12, '0')}`
  const fulfillment = changeFulfillment(made.fulfillment, { status: SHIPPED, tracking_number }, { now: at, takeId })
  const kinds = made.order.lines.map(({ kind }) => kind)
  const order: OrderState = {
    ...made.order,
    fulfillment_status: fulfillmentStatus(kinds, true),
    shipments: [shipmentOf(fulfillment)!],
    updated_at: at,
  }
  return { order, fulfillment }
}

/** Refunds everything, or one unit of the first line, or half the price of a single item. */
function askBack(order: OrderState, whole: boolean): RefundInput {
  const [line] = order.lines
  if (whole || line === undefined) return {}
  if (order.lines.length > 1 || line.quantity > 1)
    return { refund_line_items: [{ line_item_id: line.id, quantity: 1 }] }
  return { amount: nextPart(order.total_cents, 0, 1, 2, smallestCents(order.currency)) }
}

function refund(chance: Chance, lived: Lived, whole: boolean, { refundId, takeId }: Ids, now: Date): Lived {
  const before = lived.order
  if (before.total_cents === 0) return lived
  const at = later(before.updated_at, DAY + chance.below(20 * DAY), now)
  const plan = planRefund(before, askBack(before, whole))
  const input = { note: chance.pick(NOTES) }
  const refunded = newRefund(before, input, plan, { id: refundId(), takeId, source: 'web', now: at })
  const order = refundOrder(before, refunded, plan, at)
  return { order, fulfillment: follow(lived.fulfillment, order) }
}
