import { presentAddress } from '#identity/addresses/present.ts'
import { wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import { presentLine, presentRate } from './lines/present.ts'
import { presentRefund } from './refunds/present.ts'
import { orderName } from './rules.ts'
import type { Order } from './schema.ts'
import type { OrderState, Withdrawal } from './state.ts'

/** An order as the API shows it. It is stored with every change, without the customer, who is added by every read. */
export function presentOrder(order: OrderState): Omit<Order, 'customer'> {
  return {
    id: order.id,
    name: orderName(order.id),
    email: order.email,
    customer_token: order.customer_token,
    order_number: order.order_number,
    po_number: order.po_number,
    created_at: wireTime(order.created_at),
    updated_at: wireTime(order.updated_at),
    closed_at: wireTimeOrNull(order.closed_at),
    processed_at: wireTime(order.processed_at),
    cancelled_at: wireTimeOrNull(order.cancelled_at),
    confirmed: order.confirmed,
    test: order.test,
    currency: order.currency,
    gateway: order.gateway,
    payment_gateway_names: [order.gateway],
    financial_status: order.financial_status,
    fulfillment_status: order.fulfillment_status,
    source_name: order.source_name,
    source: order.visit.source,
    source_identifier: order.visit.source_identifier,
    browser_ip: order.visit.browser_ip,
    buyer_accepts_marketing: order.buyer_accepts_marketing,
    checkout_id: order.checkout_id,
    checkout_token: order.checkout_token,
    device_id: order.visit.device_id,
    landing_site: order.visit.landing_site,
    landing_site_ref: order.visit.landing_site_ref,
    referring_site: order.visit.referring_site,
    location_id: order.visit.location_id,
    theme_setting_id: order.theme_setting_id,
    taxes_included: order.taxes_included,
    subtotal_price: order.net_cents,
    total_discounts: order.discount_cents,
    total_line_items_price: order.line_items_cents,
    total_price: order.total_cents,
    total_tax: order.tax_cents,
    total_weight: order.weight,
    tax_lines: order.tax_lines.map(presentRate),
    discount_codes: order.discount_codes,
    shipping_lines: order.shipping_lines.map((line) => ({ ...line, tax_lines: line.tax_lines.map(presentRate) })),
    fulfillments: order.shipments.map(({ id, created_at, line_ids }) => ({
      id,
      created_at: wireTime(created_at),
      line_items: line_ids,
    })),
    line_items: order.lines.map(presentLine),
    refunds: order.refunds.map((refund) => presentRefund(refund, order)),
    shipping_address:
      order.shipping_address === null ? null : presentAddress(order.shipping_address, order.customer_token, false),
    ...(order.vat_id === '' ? {} : { vat_id: order.vat_id, reverse_charge: order.reverse_charge }),
    ...(order.vat_id_checked_at === null
      ? {}
      : { vat_id_checked_at: wireTime(order.vat_id_checked_at), vat_id_request_id: order.vat_id_request_id }),
    ...(order.withdrawal === null ? {} : { withdrawal: presentWithdrawal(order.withdrawal) }),
  }
}

function presentWithdrawal({ usable_from, ...withdrawal }: Withdrawal): NonNullable<Order['withdrawal']> {
  return { ...withdrawal, usable_from: usable_from === null ? null : wireTime(new Date(usable_from)) }
}
