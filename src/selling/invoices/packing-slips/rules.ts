import type { Correspondent } from '#identity/companies/state.ts'
import { wireTime } from '#platform/wire/times.ts'
import type { FulfillmentState } from '#selling/orders/fulfillments/state.ts'
import type { OrderState } from '#selling/orders/state.ts'
import { countryName, filled } from '../rules.ts'
import type { PackingSlip } from './state.ts'

/** As many as a page of the list of orders has. */
export const SLIPS_MAX = 50

/** The ids that a request names, each once, in their order; undefined if they are too many, or something else is among them. */
export function readIds(text: string): number[] | undefined {
  const parts = text.split(',').map((part) => part.trim())
  const ids = parts.every((part) => /^\d{1,15}$/.test(part)) ? [...new Set(parts.map(Number))] : []
  return ids.length === 0 || ids.length > SLIPS_MAX ? undefined : ids
}

/** What the slip of an order says. Things that were refunded before they were shipped are not packed. */
export function packingSlip(
  order: OrderState,
  fulfillment: FulfillmentState,
  company: Correspondent,
  language: string,
): PackingSlip {
  const { company_name, street, zip, city, country_code } = company
  const { shipping_address: address } = fulfillment
  return {
    orderId: order.id,
    orderedAt: wireTime(order.created_at),
    poNumber: order.po_number,
    language,
    sender: filled([company_name, street, `${zip} ${city}`, countryName(country_code, language)]),
    recipient: filled([
      address?.company ?? '',
      `${address?.first_name ?? ''} ${address?.last_name ?? ''}`,
      address?.address1 ?? '',
      address?.address2 ?? '',
      `${address?.zip ?? ''} ${address?.city ?? ''}`,
      address?.province ?? '',
      countryName(address?.country_code ?? '', language),
    ]),
    country: address?.country_code ?? '',
    method: order.shipping_lines.map(({ title }) => title).join(', '),
    lines: fulfillment.lines
      .filter(({ quantity }) => quantity > 0)
      .map(({ title, version, gtin, product_id, quantity }) => ({
        title: version === '' ? title : `${title}, ${version}`,
        number: gtin || product_id,
        quantity,
      })),
  }
}
