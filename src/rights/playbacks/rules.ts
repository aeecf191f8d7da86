import { DRM_SYSTEMS, type DrmSystem } from '#rights/drm-licenses/systems.facts.ts'
import type { PackedPart, PackedTrack } from '#rights/packing/state.ts'
import type { PlaybackState, TimedSegment } from './state.ts'

/** One key opens the segments that begin within so many seconds. */
export const PERIOD_SECONDS = 8
/** A player that gets no key for so long gives its place to another device. */
export const STREAM_HOLD_MS = 60_000
/** So many keys are given at once: for a beginning, and for jumping about. */
export const ALLOWANCE_MAX = 12
/** Then one key in so many seconds, which is enough for twice the speed. */
const SECONDS_PER_KEY = 3.5

/** The key that opens a segment. */
export function periodOf({ start }: Pick<TimedSegment, 'start'>): number {
  return Math.floor(start / PERIOD_SECONDS + 1e-6)
}

export type Allowance = Pick<PlaybackState, 'allowance' | 'allowance_at'>

/** After so long without a key, all of them may be had at once again. Rows know the time to a second. */
export const ALLOWANCE_FULL_MS = (ALLOWANCE_MAX * SECONDS_PER_KEY + 1) * 1000

function filled({ allowance, allowance_at }: Allowance, now: Date): number {
  const seconds = Math.max(0, now.getTime() - allowance_at.getTime()) / 1000
  return Math.min(ALLOWANCE_MAX, allowance + seconds / SECONDS_PER_KEY)
}

/** What a new playback begins with: no more than the poorest of those that the customer played just before. */
export function firstAllowance(recent: readonly Allowance[], now: Date): number {
  return recent.reduce((least, each) => Math.min(least, filled(each, now)), ALLOWANCE_MAX)
}

/** Takes a key from what a playback may get; `isGiven` is false if it asks faster than anybody watches. */
export function takeFrom(playback: Allowance, now: Date): Allowance & { isGiven: boolean } {
  const had = filled(playback, now)
  const isGiven = had >= 1
  return { isGiven, allowance: isGiven ? had - 1 : had, allowance_at: now }
}

/** Until when somebody who asked too fast has to wait. */
export const RETRY_SECONDS = Math.ceil(SECONDS_PER_KEY)

/** The segments of a track over all parts of a film, each with the time at which it begins. */
export function timelineOf(parts: readonly PackedPart[], track: string): TimedSegment[] {
  const timeline: TimedSegment[] = []
  let start = 0
  for (const part of parts)
    for (const { track: of, key, segments } of part.tracks) {
      if (of !== track) continue
      for (const [at, bytes, seconds] of segments) {
        timeline.push({ key, at, bytes, seconds, start })
        start += seconds
      }
    }
  return timeline
}

/**
 * How a film is encrypted. `AES-128` and `AES-256-CTR` are the methods of HLS for whole segments: every player knows the first, and the
 * second costs the service a third of it. `cbcs` of ISO/IEC 23001-7 is for the samples within segments.
 */
export type Encryption = 'AES-128' | 'AES-256-CTR' | 'cbcs'
/** Methods for whole segments. */
export type WholeMethod = Exclude<Encryption, 'cbcs'>

/** AES-128 is in CBC mode, which fills the last block, and adds one if it is full. */
const BLOCK = 16
export function encryptedBytes({ bytes }: Pick<TimedSegment, 'bytes'>, method: WholeMethod): number {
  return method === 'AES-128' ? bytes - (bytes % BLOCK) + BLOCK : bytes
}

/** What names have in them of the lists, segments and keys of an encryption. */
export const MARKS = { 'AES-128': '', 'AES-256-CTR': '-ctr', cbcs: '-cbcs' } as const satisfies Record<
  Encryption,
  string
>

function encryptionOf(mark: string): Encryption {
  if (mark === MARKS.cbcs) return 'cbcs'
  return mark === MARKS['AES-256-CTR'] ? 'AES-256-CTR' : 'AES-128'
}

export type WantedPart =
  | { kind: 'main'; encryption: Encryption }
  | { kind: 'track'; encryption: Encryption; version: number; track: string }
  | { kind: 'init'; version: number; track: string }
  | { kind: 'protected init'; version: number; track: string; period: number }
  | { kind: 'segment'; encryption: Encryption; version: number; track: string; number: number }
  | { kind: 'key'; method: WholeMethod; version: number; period: number }

type Named = { version: number; track: string; number: number; encryption: Encryption }

const NAMES: readonly [RegExp, (named: Named) => WantedPart][] = [
  [
    /^(?<version>\d)-(?<track>v|a\d{1,2})(?<mark>-cbcs|-ctr)?\.m3u8$/,
    ({ version, track, encryption }) => ({ kind: 'track', encryption, version, track }),
  ],
  [/^(?<version>\d)-(?<track>v|a\d{1,2})-init\.mp4$/, ({ version, track }) => ({ kind: 'init', version, track })],
  [
    /^(?<version>\d)-(?<track>v|a\d{1,2})-cbcs-(?<number>\d{1,6})-init\.mp4$/,
    ({ version, track, number }) => ({ kind: 'protected init', version, track, period: number }),
  ],
  [
    /^(?<version>\d)-(?<track>v|a\d{1,2})(?<mark>-cbcs|-ctr)?-(?<number>\d{1,6})\.(?:m4s|mp3)$/,
    ({ version, track, number, encryption }) => ({ kind: 'segment', encryption, version, track, number }),
  ],
  [
    /^(?<version>\d)-(?<number>\d{1,6})\.key$/,
    ({ version, number }) => ({ kind: 'key', method: 'AES-128', version, period: number }),
  ],
  [
    /^(?<version>\d)-(?<number>\d{1,6})-ctr\.key$/,
    ({ version, number }) => ({ kind: 'key', method: 'AES-256-CTR', version, period: number }),
  ],
]

/** What an address of a playback asks for; undefined for every other name. */
export function wantedPart(name: string): WantedPart | undefined {
  const [main, mark = ''] = /^main(-cbcs|-ctr)?\.m3u8$/.exec(name) ?? []
  if (main !== undefined) return { kind: 'main', encryption: encryptionOf(mark) }
  for (const [pattern, make] of NAMES) {
    const named = pattern.exec(name)?.groups
    if (named === undefined) continue
    const { version, track = '', number = 0, mark: of = '' } = named
    return make({ version: Number(version), track, number: Number(number), encryption: encryptionOf(of) })
  }
  return undefined
}

/** A key that a player asks for with a license request of commercial DRM. */
export type WantedLicense = { version: number; period: number; system: DrmSystem }

const LICENSE = /^(\d)-(\d{1,6})\.([a-z]{1,20})$/

/** What a license request to an address of a playback is about; undefined for every other name. */
export function wantedLicense(name: string): WantedLicense | undefined {
  const [, version, period, named] = LICENSE.exec(name) ?? []
  const system = DRM_SYSTEMS.find((each) => each === named)
  return system === undefined ? undefined : { version: Number(version), period: Number(period), system }
}

/** The track of a packed file with this id. */
export function trackOf(tracks: readonly PackedTrack[], id: string): PackedTrack | undefined {
  return tracks.find((track) => track.id === id)
}
