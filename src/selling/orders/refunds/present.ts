import { wireTime } from '#platform/wire/times.ts'
import { presentLine } from '../lines/present.ts'
import type { OrderLineState, OrderState } from '../state.ts'
import type { RefundPlan } from './rules.ts'
import type { Refund, RefundCalculation } from './schema.ts'
import type { RefundState } from './state.ts'
import { taxOfRefund } from './taxes.rules.ts'

export function presentRefund(refund: RefundState, order: OrderState): Refund {
  return {
    id: refund.id,
    created_at: wireTime(refund.created_at),
    note: refund.note,
    order_id: refund.order_id,
    refund_line_items: refund.lines.map(({ id, line_item_id, quantity }) => ({
      id,
      quantity,
      line_item: presentLine(lineOf(order, line_item_id)),
    })),
    restock: refund.restock,
    tracking_number: null,
    customer_token: order.customer_token,
    transactions: [
      {
        id: refund.transaction_id,
        order_id: order.id,
        gateway: order.gateway,
        created_at: wireTime(refund.created_at),
        test: order.test,
        status: refund.status,
        amount: refund.amount_cents,
        currency: order.currency,
        location_id: order.visit.location_id,
        customer_token: order.customer_token,
        device_id: order.visit.device_id,
        source_name: refund.source_name,
      },
    ],
  }
}

/** What a planned refund would give back. */
export function presentCalculation(order: OrderState, plan: RefundPlan): RefundCalculation {
  const { cents, given } = plan
  return {
    amount: cents,
    tax: taxOfRefund(order, plan),
    left: order.total_cents - order.refunded_cents - cents,
    currency: order.currency,
    gateway: order.gateway,
    refund_line_items: given.map(({ line, quantity, cents: amount }) => ({ line_item_id: line.id, quantity, amount })),
  }
}

function lineOf(order: OrderState, id: number): OrderLineState {
  const line = order.lines.find((each) => each.id === id)
  if (line === undefined) throw new Error(`order ${order.id} has no line ${id}`)
  return line
}
