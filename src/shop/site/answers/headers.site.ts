import { createPageHeaders, type PageHeaders, type PageSite } from '#platform/pages/answers.ts'
import type { PagePolicy } from '#platform/pages/policy.ts'

/** The texts of a shop may be cached for a minute. */
export const SHORTLY = 'public, max-age=60'
export const PERSONAL = 'private, no-cache'
export const VARY = 'accept-language, cookie'

/** Everything comes from the shop's own host, and nothing is inline, so that no text of an owner can run a script. */
const POLICY: PagePolicy = {
  scripts: ["'self'"],
  styles: ["'self'"],
  images: ["'self'", 'data:'],
  fonts: ["'self'"],
  connections: ["'self'"],
  // Protected films are put together in the page.
  media: ["'self'", 'blob:'],
  manifests: ["'self'"],
  formActions: ["'self'"],
  frameAncestors: [],
}

export const SITE: PageSite = { policy: POLICY, referrer: 'same-origin' }
const headersOfSite = createPageHeaders(SITE)

/** The headers of pages that have frames, or that the sites which the owner names may show in a frame. */
export function headersIn(frameAncestors: readonly string[], frames: readonly string[]): PageHeaders {
  if (frameAncestors.length === 0 && frames.length === 0) return headersOfSite
  return createPageHeaders({ ...SITE, policy: { ...POLICY, frameAncestors, frames } })
}
