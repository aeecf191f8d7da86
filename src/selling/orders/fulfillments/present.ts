import { presentAddress } from '#identity/addresses/present.ts'
import { wireTime } from '#platform/wire/times.ts'
import { trackingUrl } from '#selling/shipping-methods/rules.ts'
import type { Fulfillment } from './schema.ts'
import type { FulfillmentState } from './state.ts'

/** A fulfillment as the API shows it; stored with every change and sent by every read. */
export function presentFulfillment(fulfillment: FulfillmentState): Fulfillment {
  const { shipping_address: address, tracking_number } = fulfillment
  return {
    id: fulfillment.id,
    created_at: wireTime(fulfillment.created_at),
    owner_company: fulfillment.company_id,
    customer: address === null ? null : presentAddress(address, fulfillment.customer_token, false),
    line_items: fulfillment.lines.map(({ quantity, grams, ...line }) => ({
      id: line.id,
      product_id: line.product_id,
      title: line.title,
      version: line.version,
      Quantity: quantity,
      gtin: line.gtin,
      weight: grams,
    })),
    status: fulfillment.status,
    tracking_company: fulfillment.tracking_company,
    tracking_number,
    tracking_url: trackingUrl(fulfillment.tracking_template, tracking_number),
  }
}
