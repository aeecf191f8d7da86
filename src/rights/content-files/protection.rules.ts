import { mediumOf } from '#catalog/products/types.facts.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import type { PublicationKind } from '#rights/publications/state.ts'
import { playedAs, readAs } from './media.rules.ts'

/** How reading apps get a file of a product with DRM under a license; null if the license or the file has no protection. */
export function protectionOf(
  file: { content_type: string; role: string },
  { terms, product_type }: Pick<EntitlementState, 'terms' | 'product_type'>,
): PublicationKind | null {
  if (terms.drm !== 1) return null
  const book = readAs(file)
  if (book !== undefined) return book
  return mediumOf(product_type) === 'audio' && playedAs(file) === 'audio' ? 'audiobook' : null
}
