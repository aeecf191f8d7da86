import { zip } from '#platform/wire/zip.ts'
import type { OrderCalculation } from './calculation.schema.ts'
import type { Quote } from './quote.queries.ts'
import { sum } from './totals.rules.ts'

export function presentOrderCalculation({ draft, pricing, shippingOffers }: Quote): OrderCalculation {
  const { totals } = pricing
  return {
    currency: pricing.currency,
    taxes_included: pricing.taxesIncluded,
    total_line_items_price: totals.lineItems,
    total_discounts: totals.discount,
    total_tax: totals.tax,
    total_price: totals.total,
    line_items: zip(draft.lines, totals.lines).map(([{ product, binding, quantity, kind }, { net, tax }]) => ({
      product_id: product.product_id,
      title: product.title,
      license_id: binding.license_id,
      quantity,
      requires_shipping: kind === 'physical',
      total: net + tax,
    })),
    shipping_price: sum(totals.shipping.map(({ net, tax }) => net + tax)),
    shipping_methods: shippingOffers,
  }
}
