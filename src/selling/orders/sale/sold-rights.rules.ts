import { isContent } from '#catalog/products/types.facts.ts'
import { zip } from '#platform/wire/zip.ts'
import { contentsOf } from '#rights/entitlements/contents.rules.ts'
import { deliverable, NO_LICENSE, readTerms } from '#rights/entitlements/rules.ts'
import type { NewEntitlement } from '#rights/entitlements/state.ts'
import type { SoldCode } from '#rights/redemption-codes/state.ts'
import type { OrderLineState, OrderState } from '../state.ts'
import type { ChosenLine } from './pricing.rules.ts'

/** What the buyer of an order owns. A line with a redemption code gives nothing until the code is redeemed. */
export function rightsSold(order: OrderState, chosen: readonly ChosenLine[]): NewEntitlement[] {
  return zip(order.lines, chosen).flatMap(([line, choice]) => {
    if (!isContent(line.product_type) || line.code !== null) return []
    const from = order.withdrawal?.usable_from ?? null
    const sold = {
      company_id: order.company_id,
      customer_id: order.customer_id,
      customer_token: order.customer_token,
      order_id: order.id,
      line_id: line.id,
      pieces: line.quantity,
      test: order.test,
      on_hold: !order.confirmed,
      starts_at: from === null ? null : new Date(from),
      ...licenseOf(line, choice),
    }
    const contents = contentsOf(choice.product, choice.parts, order.company_id, order.created_at)
    return deliverable(contents, order).map((content) => ({ ...sold, ...content }))
  })
}

/**
 * The codes of an order, one for each line that has one. It is good for as many accounts as the line has pieces and each piece
 * has users, and gives each account the share of one user.
 */
export function codesSold(order: OrderState, chosen: readonly ChosenLine[]): SoldCode[] {
  return zip(order.lines, chosen).flatMap(([line, choice]) => {
    if (line.code === null) return []
    return {
      code: line.code,
      uses_max: line.quantity * (line.num_users ?? 1),
      order_id: order.id,
      line_id: line.id,
      test: order.test,
      on_hold: !order.confirmed,
      product_key: line.product_key,
      product_id: line.product_id,
      title: line.title,
      ...licenseOf(line, choice),
      num_users: line.num_users === null ? null : 1,
      contents: contentsOf(choice.product, choice.parts, order.company_id, order.created_at),
    }
  })
}

function licenseOf(line: OrderLineState, { binding }: ChosenLine) {
  return {
    hd: line.hd,
    audio_type: line.audio_type,
    num_users: line.num_users,
    license_id: line.license_id,
    license_title: line.license_title,
    terms: binding.license === null ? NO_LICENSE : readTerms(binding.license.terms),
  }
}
