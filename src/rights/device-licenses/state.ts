/** The public key of a device as a JSON Web Key: X25519, or P-256 where the hardware of the device has no other. */
export type DevicePublicKey = { kty: 'OKP' | 'EC'; crv: 'X25519' | 'P-256'; x: string; y?: string }

/** A track of a film or recording, as the license of a device describes it. */
export type LicensedTrack = {
  /** `v`, `a0`, `a1`… as it was packed; subtitles have `s` and the id of their file. */
  id: string
  kind: 'video' | 'audio' | 'subtitles'
  content_type: string
  codecs: string
  language: string
  name: string
  width: number | null
  height: number | null
  bytes: number
  /** Of the encrypted bytes. Another one has another key. */
  etag: string
}

/** What a license says, without its keys. */
export type DeviceClaims = Record<string, unknown> & { exp: number; tracks: LicensedTrack[] }

/** The license with which a device plays something without a connection, as it is stored. */
export type DeviceLicense = {
  company_id: number
  id: number
  /** Its keys are derived from this. */
  uid: string
  entitlement_id: number
  customer_id: number
  device_id: string
  public_key: DevicePublicKey
  thumbprint: string
  file_id: number
  file_name: string
  packed_company_id: number
  packed_id: number
  claims: DeviceClaims
  ends_at: Date
  issued_at: Date
  refreshed_at: Date
  /** The last play without a connection that was counted. */
  played_until: Date | null
  closed_at: Date | null
  closed_as: 'returned' | 'replaced' | null
}

export type DeviceLicenseStatus =
  | 'active'
  | 'not_started'
  | 'expired'
  | 'suspended'
  | 'revoked'
  | 'returned'
  | 'replaced'

/** What a refresh can change. After `keys` the tracks have to be downloaded again. */
export type LicenseChange = 'end' | 'terms' | 'tracks' | 'keys'

/** Bytes of a track: a text of the packer, or a part of a stored file. */
export type Piece = { bytes: number } & ({ clear: Buffer } | { key: string; at: number })
