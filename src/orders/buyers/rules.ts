import type { CustomerInput } from '#customers/schema.ts'
import type { RelationState } from '#customers/state.ts'
import { fieldInvalid } from '#platform/faults.ts'
import { validationFailed } from '#platform/problem.ts'
import { EMAIL_PATTERN } from '#platform/wire-schema.ts'
import { orderName } from '../rules.ts'
import type { OrderInput } from '../schema.ts'
import type { OrderRow } from '../state.ts'
import { customerRequired } from './errors.ts'

export type Identity =
  | { kind: 'token'; token: string }
  | { kind: 'email'; email: string; password: string | undefined; details: CustomerInput }

const given = (...texts: (string | null | undefined)[]) => texts.find((text) => text?.trim())?.trim()

/**
 * The customer that an order names. A token wins over an e-mail address, and the customer's fields over the order's.
 */
export function readIdentity(order: OrderInput, query: { email?: string }): Identity {
  const customer = order.customer ?? {}
  const token = given(order.customer_token, customer.token)
  if (token !== undefined) return { kind: 'token', token }
  const email = given(customer.email, order.email, query.email)
  if (email === undefined) throw validationFailed('customer', customerRequired())
  if (!new RegExp(EMAIL_PATTERN).test(email)) throw validationFailed('email', fieldInvalid('is not an e-mail address'))
  const { token: _token, ...details } = customer
  // A password may begin or end with a blank.
  const password = customer.password || order.password || undefined
  return { kind: 'email', email, password, details }
}

/**
 * Does an order count in the customer's totals? A test does not, nor does an order from before the company removed the
 * customer and added them again.
 */
export function isCounted(
  { created_at }: Pick<RelationState, 'created_at'>,
  order: Pick<OrderRow, 'test' | 'created_at'>,
): boolean {
  return !order.test && created_at <= order.created_at
}

type Sold = Pick<OrderRow, 'id' | 'home_cents' | 'home_refunded_cents'>

/** The customer's totals after a sale. Of two sales at once, the one with the lower id may be counted last. */
export function withSale(own: RelationState, order: Sold, now: Date): RelationState {
  const last_order_id = Math.max(own.last_order_id, order.id)
  return {
    ...own,
    orders_count: own.orders_count + 1,
    total_spent: own.total_spent + order.home_cents - order.home_refunded_cents,
    last_order_id,
    last_order_name: orderName(last_order_id),
    updated_at: now,
  }
}

/** The customer's totals after a cancellation. `lastId` is the latest remaining order, 0 if there is none. */
export function withoutSale(own: RelationState, order: Sold, lastId: number, now: Date): RelationState {
  return {
    ...own,
    orders_count: Math.max(0, own.orders_count - 1),
    total_spent: own.total_spent - (order.home_cents - order.home_refunded_cents),
    last_order_id: lastId,
    last_order_name: lastId === 0 ? '' : orderName(lastId),
    updated_at: now,
  }
}

/** The customer's totals after a refund. The order still counts. */
export function withRefund(own: RelationState, refund: { home_cents: number }, now: Date): RelationState {
  return { ...own, total_spent: own.total_spent - refund.home_cents, updated_at: now }
}
