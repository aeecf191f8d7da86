import { isContent, NO_LICENSE, readTerms } from '#entitlements/rules.ts'
import type { NewEntitlement } from '#entitlements/state.ts'
import { zip } from '#platform/zip.ts'
import type { ForSale, PartForSale } from '#products/sale/state.ts'
import type { ChosenLine } from './pricing.ts'
import type { OrderLineState, OrderState } from './state.ts'

/** What the buyer of an order owns. A line with a redemption code gives nothing until the code is redeemed. */
export function rightsSold(order: OrderState, chosen: readonly ChosenLine[]): NewEntitlement[] {
  return zip(order.lines, chosen).flatMap(([line, { product, parts, binding }]) => {
    if (!isContent(line.product_type) || line.code !== null) return []
    const sold = {
      company_id: order.company_id,
      customer_id: order.customer_id,
      customer_token: order.customer_token,
      order_id: order.id,
      line_id: line.id,
      pieces: line.quantity,
      test: order.test,
      hd: line.hd,
      audio_type: line.audio_type,
      num_users: line.num_users,
      license_id: line.license_id,
      license_title: line.license_title,
      terms: binding.license === null ? NO_LICENSE : readTerms(binding.license.terms),
      on_hold: !order.confirmed,
    }
    const contents = parts?.map((part) => contentOfPart(part, product, order)) ?? [contentOf(line, product, order)]
    return contents.map((content) => ({ ...sold, ...content }))
  })
}

type Content = Pick<
  NewEntitlement,
  'product_key' | 'content_company_id' | 'content_key' | 'product_id' | 'product_type' | 'title' | 'released_at'
>

function contentOf(line: OrderLineState, { share, published_at }: ForSale, order: OrderState): Content {
  return {
    product_key: line.product_key,
    content_company_id: share?.owner_id ?? line.company_id,
    content_key: share?.original_key ?? line.product_key,
    product_id: line.product_id,
    product_type: line.product_type,
    title: line.title,
    released_at: laterThan(published_at, order),
  }
}

/** A part starts at its own release, and not before that of the whole. */
function contentOfPart(part: PartForSale, whole: ForSale, order: OrderState): Content {
  const isOwn = part.company_id === order.company_id
  const ownRelease = isOwn && part.published_at !== null ? laterThan(new Date(part.published_at), order) : null
  return {
    product_key: ownRelease === null ? whole.id : part.id,
    content_company_id: part.content_company_id,
    content_key: part.content_key,
    product_id: part.product_id,
    product_type: part.product_type,
    title: part.title,
    released_at: ownRelease ?? laterThan(whole.published_at, order),
  }
}

/** The release, if it is still ahead. */
function laterThan(release: Date | null, { created_at }: OrderState): Date | null {
  return release !== null && release > created_at ? release : null
}
