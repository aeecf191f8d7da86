import type { OrderInput } from '#selling/orders/schema.ts'
import type { PlanState } from '#selling/plans/state.ts'
import { type OrderPlace, orderOf } from '../rules.ts'
import type { CheckoutDetails, Contents } from '../state.ts'

/** The fields in which somebody who signs up says who they are. The rest of the checkout is about gifts and goods. */
export const JOIN_FIELDS = ['email', 'country', 'company', 'vat_id', 'po_number', 'accepts_marketing'] as const

/** What of a cart counts for a sign-up: a membership is no gift, and nothing is shipped. */
export function cartOfSignUp(details: CheckoutDetails): Contents {
  const bought = { ...details, is_gift: false, shipping_method: '', placed: '', joined: '' }
  return { lines: [], discount_code: '', details: bought }
}

/** The order of a period, but for the plan. */
export function orderOfSignUp(details: CheckoutDetails, place: OrderPlace): Omit<OrderInput, 'line_items'> {
  const { line_items: _none, ...order } = orderOf(cartOfSignUp(details), place)
  return order
}

/** The terms of a plan that an owner can change while somebody signs up, as a word for the form. */
export function termsOf({ minimum_periods, renewals }: PlanState, trialDays: number): string {
  return [trialDays, minimum_periods, renewals ?? 'open'].join('.')
}

/** Why a sign-up was refused, as the key of a text; anything else is a price that has changed meanwhile. */
const REASONS: Readonly<Record<string, string>> = {
  customer_disabled: 'checkout.errors.refused',
  orders_not_accepted: 'checkout.errors.closed',
  payment_gateway_not_offered: 'checkout.errors.gateway',
  payment_gateway_required: 'checkout.errors.gateway',
  consent_missing: 'memberships.errors.consent',
  too_many_orders: 'checkout.errors.too_many',
}

export function textOfRefusal(reason: string): string {
  return REASONS[reason] ?? 'memberships.errors.changed'
}
