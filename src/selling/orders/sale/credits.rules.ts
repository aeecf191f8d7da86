import { smallestCents } from '#catalog/currency-rates/currencies.facts.ts'
import type { Kind } from '#catalog/products/sale/rules.ts'
import type { BindingForSale, ForSale } from '#catalog/products/sale/state.ts'
import { statusOf } from '#rights/entitlements/rights/rules.ts'
import { rightsOf } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import type { OrderLineState, OrderState } from '../state.ts'
import { isRental } from '../statistics/rules.ts'
import { netOf } from './totals.rules.ts'

/** What a customer owns, and how it was paid. */
export type PaidRental = {
  entitlement: EntitlementState
  line: Pick<
    OrderLineState,
    | 'product_key'
    | 'product_id'
    | 'quantity'
    | 'net_cents'
    | 'tax_cents'
    | 'tax_rate'
    | 'refunded_quantity'
    | 'refunded_cents'
  >
  order: Pick<OrderState, 'financial_status' | 'cancelled_at' | 'currency' | 'total_cents' | 'refunded_cents' | 'test'>
  /** Has it made another purchase cheaper? */
  isCredited: boolean
}

/** The lines of an order that keep a rental, by their places. Undefined: the customer has no such rental. */
export type Rentals = ReadonlyMap<number, PaidRental | undefined>

export const NO_RENTALS: Rentals = new Map()

/** Whose rentals can be kept: those of a customer, or those that some orders of a guest gave. */
export type RentalOwner = { companyId: number; customerId: number; orderIds: readonly number[] | null }

/** The lines that keep a rental, and who asks; undefined: somebody who owns nothing. */
export type Keeps = { owner: RentalOwner | undefined; lines: readonly { index: number; entitlementId: number }[] }

/**
 * What was paid for one piece of a rental, in cents of a currency. `entitlement_id` is null for what is left of another plan of
 * a subscription.
 */
export type Credit = { entitlement_id: number | null; currency: string; net: number; gross: number; test: boolean }

type Bought = { product: Pick<ForSale, 'id' | 'product_id'>; binding: Pick<BindingForSale, 'license'>; kind: Kind }

/**
 * What a purchase of rented content is cheaper by; null if the rental has ended, was not paid, was credited before, or is of
 * something else. A part of a collection was paid together with the others, so it has no price of its own.
 */
export function creditOf(
  { product, binding, kind }: Bought,
  { entitlement, line, order, isCredited }: PaidRental,
  now: Date,
): Credit | null {
  if (kind !== 'digital' || isRental(binding.license) || isCredited) return null
  const isSame = [entitlement, line].every(
    ({ product_key, product_id }) => product_key === product.id && product_id === product.product_id,
  )
  if (!isSame || !isRental(entitlement) || statusOf(rightsOf(entitlement), now).state !== 'active') return null
  if (order.financial_status === 'pending' || order.cancelled_at !== null) return null
  const gross = paidForPiece(line, order)
  if (gross === 0) return null
  const net = netOf(gross, line.tax_rate)
  return { entitlement_id: entitlement.id, currency: order.currency, net, gross, test: order.test }
}

/** What is left of the price of one piece after refunds. A refund may be of no particular line. */
function paidForPiece(
  line: PaidRental['line'],
  { total_cents, refunded_cents, currency }: PaidRental['order'],
): number {
  const pieces = line.quantity - line.refunded_quantity
  if (pieces <= 0) return 0
  const paid = Math.min(line.net_cents + line.tax_cents - line.refunded_cents, total_cents - refunded_cents)
  const step = smallestCents(currency)
  return Math.max(0, Math.floor(paid / pieces / step) * step)
}
