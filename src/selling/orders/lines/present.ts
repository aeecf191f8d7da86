import { RATE_SCALE } from '#identity/addresses/vat-rates.facts.ts'
import type { TaxLine } from '../sale/totals.rules.ts'
import type { OrderLineState } from '../state.ts'
import type { LineItem } from './schema.ts'

export function presentRate({ price, rate }: TaxLine): { price: number; rate: number } {
  return { price, rate: rate / RATE_SCALE }
}

export function presentLine(line: OrderLineState): LineItem {
  return {
    id: line.id,
    product_id: line.product_id,
    license_id: line.license_id,
    license_title: line.license_title,
    hd: line.hd,
    ...(line.audio_type === null ? {} : { audio_type: line.audio_type }),
    ...(line.num_users === null ? {} : { num_users: line.num_users }),
    ...(line.chosen_product_id === null ? {} : { chosen_product_id: line.chosen_product_id }),
    title: line.title,
    name: line.name,
    quantity: line.quantity,
    grams: line.grams,
    sku: line.sku,
    price: line.price_cents,
    total_discount: line.discount_cents,
    tax_lines: [presentRate({ price: line.net_cents, rate: line.tax_rate })],
    taxable: line.tax_rate > 0,
    requires_shipping: line.kind === 'physical',
    gift_card: false,
    product_exists: line.product_exists,
    code: line.code,
  }
}
