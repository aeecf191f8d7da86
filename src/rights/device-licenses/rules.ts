import { statusOf } from '#rights/entitlements/rights/rules.ts'
import type { Rights } from '#rights/entitlements/rights/state.ts'
import type { PackedTrack } from '#rights/packing/state.ts'
import type { TimedSegment } from '#rights/playbacks/state.ts'
import type { DeviceClaims, DeviceLicense, DeviceLicenseStatus, LicenseChange, Piece } from './state.ts'

/** What a license is worth now, in a word. */
export function statusOfLicense(license: DeviceLicense, rights: Rights, now: Date): DeviceLicenseStatus {
  if (license.closed_as !== null) return license.closed_as
  const { state } = statusOf(rights, now)
  return state === 'active' && license.ends_at <= now ? 'expired' : state
}

/** What is different from what the device was told before. */
export function changesOf(before: DeviceClaims, after: DeviceClaims): LicenseChange[] {
  const differ = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other)
  const etags = new Map(before.tracks.map(({ id, etag }) => [id, etag]))
  const hasOtherKey = ({ id, etag }: { id: string; etag: string }) => etags.has(id) && etags.get(id) !== etag
  const withoutKeys = ({ tracks }: DeviceClaims) => tracks.map(({ etag: _etag, ...track }) => track)
  const changes: [LicenseChange, boolean][] = [
    ['end', before.exp !== after.exp],
    ['terms', differ([before.title, before.license], [after.title, after.license])],
    ['tracks', differ(withoutKeys(before), withoutKeys(after))],
    ['keys', after.tracks.some(hasOtherKey)],
  ]
  return changes.filter(([, isChanged]) => isChanged).map(([change]) => change)
}

/** The bytes of a packed track in the order of a player: what comes before the first segment, and then all segments. */
export function piecesOf({ init }: PackedTrack, segments: readonly TimedSegment[]): Piece[] {
  const clear = Buffer.from(init, 'base64')
  const pieces: Piece[] = clear.length === 0 ? [] : [{ clear, bytes: clear.length }]
  for (const { key, at, bytes } of segments) {
    const last = pieces.at(-1)
    // Segments that follow each other in a stored file are read at once.
    const isNext = last !== undefined && 'key' in last && last.key === key && last.at + last.bytes === at
    if (isNext) last.bytes += bytes
    else pieces.push({ key, at, bytes })
  }
  return pieces
}

export function bytesOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** The parts of pieces that a range covers; both ends belong to it. */
export function cut(pieces: readonly Piece[], { start, end }: { start: number; end: number }): Piece[] {
  const parts: Piece[] = []
  let from = 0
  for (const piece of pieces) {
    const [first, last] = [Math.max(start - from, 0), Math.min(end - from, piece.bytes - 1)]
    from += piece.bytes
    if (first > last) continue
    const bytes = last - first + 1
    parts.push(
      'clear' in piece
        ? { clear: piece.clear.subarray(first, last + 1), bytes }
        : { key: piece.key, at: piece.at + first, bytes },
    )
  }
  return parts
}

/**
 * The plays to count of those that a device reports: none that was reported before, and none ahead of the service, whose time
 * counts.
 */
export function newPlays(
  { issued_at, played_until }: Pick<DeviceLicense, 'issued_at' | 'played_until'>,
  reported: readonly Date[],
  now: Date,
): Date[] {
  const after = played_until ?? new Date(issued_at.getTime() - 1000)
  return reported.map((time) => (time > now ? now : time)).filter((time) => time > after)
}
