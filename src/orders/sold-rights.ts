import { isContent, NO_LICENSE, readTerms } from '#entitlements/rules.ts'
import type { NewEntitlement } from '#entitlements/state.ts'
import { zip } from '#platform/zip.ts'
import type { ChosenLine } from './pricing.ts'
import type { OrderState } from './state.ts'

/** What the buyer of an order owns. A line with a redemption code gives nothing until the code is redeemed. */
export function rightsSold(order: OrderState, chosen: readonly ChosenLine[]): NewEntitlement[] {
  return zip(order.lines, chosen).flatMap(([line, { product, binding, isPreOrder }]) => {
    if (!isContent(line.product_type) || line.code !== null) return []
    return {
      company_id: order.company_id,
      customer_id: order.customer_id,
      customer_token: order.customer_token,
      order_id: order.id,
      line_id: line.id,
      pieces: line.quantity,
      test: order.test,
      product_key: line.product_key,
      product_id: line.product_id,
      product_type: line.product_type,
      title: line.title,
      hd: line.hd,
      audio_type: line.audio_type,
      num_users: line.num_users,
      license_id: line.license_id,
      license_title: line.license_title,
      terms: binding.license === null ? NO_LICENSE : readTerms(binding.license.terms),
      released_at: isPreOrder ? product.published_at : null,
      on_hold: !order.confirmed,
    }
  })
}
