import { asksForOutputProtection, mayBeHd, needsHdcp, SD_HEIGHT_MAX } from '#rights/content-files/protection.rules.ts'
import { includesHd } from '#rights/content-files/rules.ts'
import type { FileOfPurchase } from '#rights/content-files/state.ts'
import { mayDownload } from '#rights/entitlements/rights/rules.ts'
import type { Terms } from '#rights/entitlements/rights/state.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import type { PackedFileState, PackedTrack } from '#rights/packing/state.ts'
import { hasSamples } from '#rights/playbacks/samples/init.rules.ts'
import type { PlayedVersion } from '#rights/playbacks/state.ts'

/** How a title is played: from its file, from encrypted segments, or not yet, or not at all. */
export type Way =
  | { kind: 'file' }
  /** `first` are the tracks of the first version. `is_decrypted_apart`: where the browser can decrypt apart from the page, it has to. */
  | { kind: 'stream'; versions: PlayedVersion[]; first: readonly PackedTrack[]; is_decrypted_apart: boolean }
  | { kind: 'closed'; why: 'being_prepared' | 'not_protectable' | 'needs_hdcp' }

export type VersionOnDisk = {
  file: FileOfPurchase
  quality: 'hd' | 'sd'
  packed: Pick<PackedFileState, 'id' | 'company_id' | 'state' | 'tracks'> | undefined
}

/** May HD be played? The purchase or the license may have changed since the film began. */
export function mayPlayHd(entitlement: EntitlementState): boolean {
  return includesHd(entitlement) && !needsHdcp(entitlement.terms)
}

const NO_AIRPLAY = 150
const COPY_NEVER = 200

/** What a page may do with the film, where the browser can be asked not to. */
export function outputsOf(
  terms: Terms,
  hasWatermark: boolean,
): { is_remote_allowed: boolean; is_small_window_allowed: boolean } {
  const { drm, play_prot_level_digital, copy_prot_level_analog, copy_prot_level_digital, copp_aps, copp_cgms } = terms
  if (drm === 0) return { is_remote_allowed: true, is_small_window_allowed: true }
  const isCopyNever = copy_prot_level_analog >= COPY_NEVER || copy_prot_level_digital >= COPY_NEVER
  return {
    // Another screen and a small window show the picture without what the page puts on it.
    is_remote_allowed: !hasWatermark && play_prot_level_digital < NO_AIRPLAY && terms.play_prot_level_analog === 0,
    is_small_window_allowed: !hasWatermark && !isCopyNever && copp_aps === 0 && copp_cgms === 0,
  }
}

/** How a title of somebody who owns it is played. A license without `drm` sets no rules, so the file itself is played. */
export function wayOf(terms: Terms, isProtected: boolean, versions: readonly VersionOnDisk[]): Way {
  if (!isProtected || terms.drm === 0) return { kind: 'file' }
  const ready = versions.filter(({ packed }) => packed?.state === 'ready')
  const isHd = ({ quality, packed }: VersionOnDisk) =>
    quality === 'hd' || (packed?.tracks ?? []).some(({ height }) => (height ?? 0) > SD_HEIGHT_MAX)
  const allowed = needsHdcp(terms) ? ready.filter((version) => !isHd(version)) : ready
  if (allowed.length > 0)
    return {
      kind: 'stream',
      first: allowed[0]?.packed?.tracks ?? [],
      is_decrypted_apart:
        asksForOutputProtection(terms) && allowed.every(({ packed }) => packed?.tracks?.every(hasSamples)),
      versions: allowed.flatMap(({ file, quality, packed }) =>
        packed === undefined
          ? []
          : [{ quality, file_id: file.id, company_id: packed.company_id, packed_id: packed.id }],
      ),
    }
  if (versions.some(({ file, packed }) => packed?.state !== 'ready' && file.is_streamed))
    return { kind: 'closed', why: 'being_prepared' }
  if (ready.length > 0 || (needsHdcp(terms) && versions.some(({ file }) => mayBeHd(file))))
    return { kind: 'closed', why: 'needs_hdcp' }
  // What cannot be packed is sold as a file, to those who may have the file.
  return mayDownload(terms) ? { kind: 'file' } : { kind: 'closed', why: 'not_protectable' }
}
