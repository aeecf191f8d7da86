/** A packed file that a playback may play. */
export type PlayedVersion = {
  quality: 'hd' | 'sd'
  /** The content file that it was packed from. */
  file_id: number
  /** The company whose film it is, which differs from that of the shop for mirrored products. */
  company_id: number
  packed_id: number
}

export type PlaybackEnd = 'left' | 'elsewhere'

/** A film or recording that a customer plays on one device. */
export type PlaybackState = {
  company_id: number
  id: string
  entitlement_id: number
  customer_id: number
  session_key: string
  device_id: string
  versions: PlayedVersion[]
  allowance: number
  allowance_at: Date
  created_at: Date
  seen_at: Date
  ended: PlaybackEnd | null
}

/** A segment of a track, with the time at which it begins. */
export type TimedSegment = { key: string; at: number; bytes: number; seconds: number; start: number }
