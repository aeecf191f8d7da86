import type { ForSale, PartForSale } from '#catalog/products/sale/state.ts'
import type { Content } from './state.ts'

/** The contents of a product that is sold or given now: its own, or those of the products that it includes. */
export function contentsOf(
  product: ForSale,
  parts: readonly PartForSale[] | null,
  companyId: number,
  now: Date,
): Content[] {
  return parts?.map((part) => contentOfPart(part, product, companyId, now)) ?? [contentOf(product, companyId, now)]
}

function contentOf({ share, published_at, ...product }: ForSale, companyId: number, now: Date): Content {
  return {
    product_key: product.id,
    content_company_id: share?.owner_id ?? companyId,
    content_key: share?.original_key ?? product.id,
    product_id: product.product_id,
    product_type: product.product_type,
    title: product.title,
    released_at: laterThan(published_at, now),
  }
}

/** A part starts at its own release, and not before that of the whole. */
function contentOfPart(part: PartForSale, whole: ForSale, companyId: number, now: Date): Content {
  const isOwn = part.company_id === companyId
  const ownRelease = isOwn && part.published_at !== null ? laterThan(new Date(part.published_at), now) : null
  return {
    product_key: ownRelease === null ? whole.id : part.id,
    content_company_id: part.content_company_id,
    content_key: part.content_key,
    product_id: part.product_id,
    product_type: part.product_type,
    title: part.title,
    released_at: ownRelease ?? laterThan(whole.published_at, now),
  }
}

/** The release, if it is still ahead. */
function laterThan(release: Date | null, now: Date): Date | null {
  return release !== null && release > now ? release : null
}
