import type { Client } from './client.ts'
import { errorOf } from './errors.ts'
import { type DeviceKeys, decryptAt, openKeySet } from './key-sets.ts'
import {
  type Decision,
  decide,
  type JsonWebKeySet,
  type LicenseFile,
  type LicenseFileOptions,
  type LicenseFileRefusal,
} from './license-files.ts'
import type { Schemas } from './operations.ts'

export { createDeviceKeys, type DeviceKeys, type DevicePublicKey, importDeviceKeys, type Jwk } from './key-sets.ts'

/** A track as the license describes it. */
export type LicensedTrack = {
  id: string
  kind: 'video' | 'audio' | 'subtitles'
  content_type: string
  codecs: string
  language: string
  name: string
  width: number | null
  height: number | null
  bytes: number
  etag: string
}

/** The content of a license: what a license file says, for which key of a device, and which tracks it opens. */
export type DeviceLicense = LicenseFile & {
  /** The thumbprint of the key of the device. */
  cnf: { jkt: string }
  file_id: number
  remaining: Schemas['Remaining']
  tracks: readonly LicensedTrack[]
  /** The keys of the tracks, encrypted for the device. */
  keys: string
}

/** Everything that an app stores of a license, beside its key pair and the tracks. It is plain data. */
export type StoredLicense = {
  id: number
  entitlementId: number
  device: string
  jws: string
  /** The keys of the service, which check the license without a connection. */
  jwks: JsonWebKeySet
  /** The latest time that the device has shown. */
  lastSeen?: number
  /** What was played since the service has heard of it. */
  plays: readonly string[]
}

export type DeviceLicenseDecision =
  | (Extract<Decision<DeviceLicense>, { allowed: true }> & { trackKeys: ReadonlyMap<string, CryptoKey> })
  | (Omit<Extract<Decision<DeviceLicense>, { allowed: false }>, 'reason'> & {
      /** `wrong_key`: the license is for the key of another device. */
      reason: LicenseFileRefusal | 'wrong_key'
    })

const TYPE = 'device-license+jwt'
const PLAYS_MAX = 200
const JWKS = '/.well-known/jwks.json'

async function stored(
  licet: Client,
  device: string,
  { id, entitlement_id, jws }: Schemas['IssuedDeviceLicense'],
): Promise<StoredLicense> {
  const response = await licet.fetch(JWKS)
  if (!response.ok) throw errorOf(response.status, response.headers, undefined)
  const jwks = (await response.json()) as JsonWebKeySet
  return { id, entitlementId: entitlement_id, device, jws, jwks, plays: [] }
}

export type Taken = { decision: Schemas['Decision']; license: StoredLicense | undefined }

/** Asks the service for a license. If the customer may not have one, there is none, and the decision says why. */
export async function takeDeviceLicense(
  licet: Client,
  entitlementId: number | string,
  { device, keys, fileId, now = new Date() }: { device: string; keys: DeviceKeys; fileId?: number; now?: Date },
): Promise<Taken> {
  const { device_license, decision } = await licet.entitlements.deviceLicense(entitlementId, {
    device,
    public_key: keys.publicKey,
    client_time: wireTime(now),
    ...(fileId === undefined ? {} : { file_id: fileId }),
  })
  return { decision, license: device_license === null ? undefined : await stored(licet, device, device_license) }
}

/**
 * Opens a license without a connection: checks who has signed it, its time, and the clock, and decrypts its keys. Store the
 * `lastSeen` of the answer with the license, whatever it is. Ask again every minute while something is played.
 */
export async function openDeviceLicense(
  license: StoredLicense,
  keys: DeviceKeys,
  options: Pick<LicenseFileOptions, 'now' | 'action' | 'pages'> = {},
): Promise<DeviceLicenseDecision> {
  const { jws, jwks, device, lastSeen } = license
  const seen = lastSeen === undefined ? {} : { lastSeen }
  const decision = await decide<DeviceLicense>(jws, TYPE, { ...options, ...seen, jwks, device })
  if (!decision.allowed) return decision
  const isOwn = decision.license.cnf?.jkt === keys.thumbprint
  const trackKeys = isOwn ? await openKeySet(decision.license.keys, keys) : undefined
  if (trackKeys !== undefined) return { ...decision, trackKeys }
  return { allowed: false, reason: 'wrong_key', isFinal: true, lastSeen: decision.lastSeen }
}

export type Download = {
  /** Encrypted, as it is stored. */
  stream: ReadableStream<Uint8Array>
  /** Where the stream begins: 0 if the service sends all of it, because the bytes are others than those before. */
  at: number
  /** Of the encrypted bytes. If it is not that of the license, refresh the license first. */
  etag: string
}

/** Downloads a track, or goes on after so many bytes with the `etag` of the download that was interrupted. */
export async function downloadTrack(
  licet: Client,
  { id, entitlementId }: Pick<StoredLicense, 'id' | 'entitlementId'>,
  track: string,
  { from = 0, etag, signal }: { from?: number; etag?: string; signal?: AbortSignal } = {},
): Promise<Download> {
  const path = `/api/entitlements/${entitlementId}/device_licenses/${id}/tracks/${encodeURIComponent(track)}`
  const headers = {
    ...(from > 0 ? { range: `bytes=${from}-` } : {}),
    ...(from > 0 && etag !== undefined ? { 'if-range': etag } : {}),
  }
  const response = await licet.fetch(path, { headers, ...(signal === undefined ? {} : { signal }) })
  const { status, body } = response
  if (!response.ok || body === null)
    throw errorOf(status, response.headers, await response.json().catch(() => undefined))
  return { stream: body, at: status === 206 ? from : 0, etag: response.headers.get('etag') ?? '' }
}

/** Decrypts a track, or a part of it that begins `at` one of its bytes: any one, so that a player can jump. */
export function decryptTrack(
  { trackKeys }: Pick<Extract<DeviceLicenseDecision, { allowed: true }>, 'trackKeys'>,
  track: string,
  encrypted: ReadableStream<Uint8Array>,
  { at = 0 }: { at?: number } = {},
): ReadableStream<Uint8Array> {
  const key = trackKeys.get(track)
  if (key === undefined) throw new TypeError(`The license has no track ${track}.`)
  let next = at
  return encrypted.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        const from = next
        next += chunk.length
        controller.enqueue(await decryptAt(key, from, chunk))
      },
    }),
  )
}

const wireTime = (time: Date) => time.toISOString().slice(0, 19)

/** The license with one more play, which the next refresh reports. */
export function countPlay(license: StoredLicense, now = new Date()): StoredLicense {
  return { ...license, plays: [...license.plays, wireTime(now)].slice(-PLAYS_MAX) }
}

export type Refreshed = {
  decision: Schemas['Decision']
  /** With a new end, or as it was if the service has refused. */
  license: StoredLicense
  /** After `keys` the tracks have to be downloaded again. */
  changed: readonly ('end' | 'terms' | 'tracks' | 'keys')[]
}

/** Gets a new end, and reports the time of the device and what was played. A new license forgets the old `lastSeen`. */
export async function refreshDeviceLicense(
  licet: Client,
  license: StoredLicense,
  { now = new Date() }: { now?: Date } = {},
): Promise<Refreshed> {
  const { id, entitlementId, device, plays } = license
  const { device_license, decision, changed } = await licet.entitlements.deviceLicenses.refresh(entitlementId, id, {
    client_time: wireTime(now),
    plays: [...plays],
  })
  const next = device_license === null ? { ...license, plays: [] } : await stored(licet, device, device_license)
  return { decision, license: next, changed }
}

/** Gives the license back. Delete it, its tracks and what was decrypted of them. */
export async function returnDeviceLicense(licet: Client, { id, entitlementId, plays }: StoredLicense): Promise<void> {
  await licet.entitlements.deviceLicenses.return(entitlementId, id, { plays: [...plays] })
}
