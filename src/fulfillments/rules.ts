import type { OrderState } from '#orders/state.ts'
import type { ShippingMethodState } from '#shipping-methods/state.ts'
import type { FulfilledLine, FulfillmentState } from './state.ts'

export const NOT_SHIPPED = 0
export const SHIPPED = 100

/** What of an order has to be shipped: goods, less what was given back before. */
export function linesToShip({ lines }: OrderState): FulfilledLine[] {
  return lines
    .filter(({ kind }) => kind === 'physical')
    .map(({ id, product_id, title, version, quantity, refunded_quantity, gtin, grams }) => ({
      id,
      product_id,
      title,
      version,
      quantity: quantity - refunded_quantity,
      gtin,
      grams,
    }))
}

export function newFulfillment(order: OrderState, method: ShippingMethodState | undefined): FulfillmentState {
  return {
    company_id: order.company_id,
    id: order.id,
    partner_id: method?.partner_id ?? null,
    status: NOT_SHIPPED,
    tracking_company: method?.tracking_company ?? '',
    tracking_number: '',
    tracking_template: method?.tracking_url ?? '',
    entry_id: null,
    shipped_at: null,
    cancelled: false,
    created_at: order.created_at,
    updated_at: order.created_at,
    customer_token: order.customer_token,
    shipping_address: order.shipping_address,
    lines: linesToShip(order),
  }
}
