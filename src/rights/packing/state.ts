import type { PackingFault } from './faults.facts.ts'

export type PackingState = 'pending' | 'ready' | 'failed'

/** A film or a recording that is packed, or is about to be. */
export type PackedFileState = {
  company_id: number
  id: number
  source_key: string
  size: number
  state: PackingState
  fault: PackingFault | null
  codec: string | null
  duration: number | null
  packed_seconds: number
  tracks: PackedTrack[] | null
  created_at: Date
  updated_at: Date
}

/** A track as a playlist describes it. */
export type PackedTrack = {
  /** `v`, `a0`, `a1`…: unique within its file. */
  id: string
  kind: 'video' | 'audio'
  /** As RFC 6381 writes it, such as `avc1.640028`. */
  codecs: string
  /** `mp4`: segments of CMAF after a beginning. `mp3`: frames of MP3. */
  format: 'mp4' | 'mp3'
  /** A tag of BCP 47; empty if the file does not say it. */
  language: string
  name: string
  width: number | null
  height: number | null
  /** What a player reads before the first segment, in base64; empty for MP3. */
  init: string
}

/** A segment within the stored file of its part: where it begins, its bytes, and its seconds. */
export type Segment = readonly [at: number, bytes: number, seconds: number]

/** The segments of one track in one part. */
export type PartOfTrack = { track: string; key: string; segments: Segment[] }

export type PackedPart = { number: number; next_seconds: number | null; tracks: PartOfTrack[] }

/** The source of a packed file: stored bytes of a company. */
export type PackingSource = { company_id: number; source_key: string; size: number }

/** What is stored of how far the packing of a file is. */
export type PackingFacts = Pick<PackedFileState, 'state' | 'fault' | 'codec' | 'duration' | 'packed_seconds'>

/** How far the packing of a file is. */
export type Packing = { state: PackingState; fault: PackingFault | null; codec: string | null; progress: number }
