import { wireTime } from '#platform/wire/times.ts'
import type { ShippingMethod } from './schema.ts'
import type { ShippingMethodState } from './state.ts'

/** A shipping method as the API shows it. */
export function presentShippingMethod(method: ShippingMethodState): ShippingMethod {
  return {
    id: method.id,
    title: method.title,
    price_id: method.price_id,
    weight_rates: method.weight_rates,
    free_from: method.free_from,
    countries: method.countries,
    tracking_company: method.tracking_company,
    tracking_url: method.tracking_url,
    shipping_partner_id: method.partner_id,
    position: method.position,
    delivery_days_min: method.delivery_days_min,
    delivery_days_max: method.delivery_days_max,
    created_at: wireTime(method.created_at),
    updated_at: wireTime(method.updated_at),
  }
}
