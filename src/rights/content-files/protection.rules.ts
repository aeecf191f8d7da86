import { mediumOf } from '#catalog/products/types.facts.ts'
import type { Terms } from '#rights/entitlements/rights/state.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { isPackable, isUndecided } from '#rights/packing/rules.ts'
import type { PackingFacts } from '#rights/packing/state.ts'
import { playedAs, readAs } from './media.rules.ts'
import type { Protection } from './state.ts'

/** Larger pictures are HD. */
export const SD_HEIGHT_MAX = 576
/** Asks for HDCP between the device and its screen, and not only if there is any. */
const HDCP_ENFORCED = 200

/** Browsers cannot say whether the line to the screen is encrypted, so HD is not sent where a license insists on it. */
export function needsHdcp({ drm, copp_hdcp, play_prot_level_digital }: Terms): boolean {
  return drm === 1 && (copp_hdcp === 1 || play_prot_level_digital >= HDCP_ENFORCED)
}

const OUTPUTS = [
  'copp_aps',
  'copp_cgms',
  'copp_hdcp',
  'copy_prot_level_analog',
  'copy_prot_level_digital',
  'play_prot_level_analog',
  'play_prot_level_digital',
] as const

/** Does a license ask for protection of what leaves the device, in any of its fields? */
export function asksForOutputProtection(terms: Terms): boolean {
  return terms.drm === 1 && OUTPUTS.some((field) => terms[field] > 0)
}

type Kind = { content_type: string; role: string; height: number | null }

/** May it be HD? A film whose size nobody could read may be. */
export function mayBeHd(file: Kind): boolean {
  return playedAs(file) === 'video' && (file.role === 'main_hd' || file.height === null || file.height > SD_HEIGHT_MAX)
}

/** How far the packing of a file is; null: nobody has asked for it yet. */
type Known = Pick<PackingFacts, 'state' | 'fault'> | null

/** Is it played from encrypted segments, now or once it is packed? What a busy machine has given up is not given away. */
export function isStreamed(file: Kind, packing: Known): boolean {
  const isPossible = packing === null || packing.state === 'ready' || isUndecided(packing)
  return playedAs(file) !== undefined && isPackable(file) && isPossible
}

/** How a file of a product with DRM is given out under a license; null if the license or the file has no protection. */
export function protectionOf(
  file: Kind,
  packing: Known,
  { terms, product_type }: Pick<EntitlementState, 'terms' | 'product_type'>,
): Protection | null {
  if (terms.drm !== 1) return null
  const book = readAs(file)
  if (book !== undefined) return book
  const medium = playedAs(file)
  if (mediumOf(product_type) === 'audio' && medium === 'audio') return 'audiobook'
  // What cannot be packed is sold as a file, but a file asks no screen for HDCP.
  return isStreamed(file, packing) || (needsHdcp(terms) && mayBeHd(file)) ? 'stream' : null
}
