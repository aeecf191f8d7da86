import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Vault } from '#platform/identity/vault.ts'

/** A key of content: what is encrypted for a player is encrypted with keys that are derived from it. */
export const CONTENT_KEY_BYTES = 32
const SEGMENT_KEY_BYTES = 16
const COUNTER_BYTES = 8
const IV_BYTES = 16
const KEY_ID_BYTES = 16
export const CONTENT_KEYS_PURPOSE = 'content keys'

export function newContentKey(): Buffer {
  return randomBytes(CONTENT_KEY_BYTES)
}

export function sealContentKey(vault: Vault, key: Buffer): Buffer {
  return vault.seal(CONTENT_KEYS_PURPOSE, key.toString('base64'))
}

/** Undefined: it was sealed with another secret of the installation, which is lost. */
export function openContentKey(vault: Vault, sealed: Buffer): Buffer | undefined {
  try {
    return Buffer.from(vault.open(CONTENT_KEYS_PURPOSE, sealed), 'base64')
  } catch {
    return undefined
  }
}

/** The key of a few segments, for one playback alone: it opens nothing of anybody else, and nothing that is played later. */
export function segmentKey(contentKey: Buffer, playback: string, period: number): Buffer {
  return createHmac('sha256', contentKey)
    .update(`segments ${playback} ${period}`)
    .digest()
    .subarray(0, SEGMENT_KEY_BYTES)
}

/** The key of the samples of a few segments, for one playback alone. Two ways to encrypt share no key. */
export function sampleKey(contentKey: Buffer, playback: string, period: number): Buffer {
  return createHmac('sha256', contentKey)
    .update(`samples ${playback} ${period}`)
    .digest()
    .subarray(0, SEGMENT_KEY_BYTES)
}

/** segmentKey for segments that are encrypted in counter mode, with a key of 256 bits. */
export function counterKey(contentKey: Buffer, playback: string, period: number): Buffer {
  return createHmac('sha256', contentKey).update(`counter ${playback} ${period}`).digest()
}

/** Tracks of one film have the same key, and begin differently under it. */
export function sampleIv(track: string): Buffer {
  return createHash('sha256').update(`samples ${track}`).digest().subarray(0, IV_BYTES)
}

const PERIOD_AT = 12
const VERSION_AT = 11

/** The public name of such a key: of which playback it is, of which version of the film, and of which seconds. */
export function sampleKeyId(playback: string, version: number, period: number): Buffer {
  const id = createHash('sha256').update(`key id ${playback}`).digest().subarray(0, IV_BYTES)
  id.writeUInt8(version, VERSION_AT)
  id.writeUInt32BE(period, PERIOD_AT)
  return id
}

/** What a name says; undefined if it is that of no key of the playback. */
export function readSampleKeyId(playback: string, id: Buffer): { version: number; period: number } | undefined {
  if (id.length !== IV_BYTES) return undefined
  const [version, period] = [id.readUInt8(VERSION_AT), id.readUInt32BE(PERIOD_AT)]
  return sampleKeyId(playback, version, period).equals(id) ? { version, period } : undefined
}

/** Different for every segment of a track, so that no two begin alike under one key. */
export function segmentIv(track: string, number: number): Buffer {
  return createHash('sha256').update(`segment ${track} ${number}`).digest().subarray(0, IV_BYTES)
}

/**
 * The first block of the counter of a segment. Players count in the last eight bytes alone, which begin with zero, so that they never
 * overflow; the first eight are those of no other segment under the same key.
 */
export function segmentCounter(track: string, number: number): Buffer {
  const nonce = createHash('sha256').update(`counter ${track} ${number}`).digest()
  return Buffer.concat([nonce.subarray(0, IV_BYTES - COUNTER_BYTES), Buffer.alloc(COUNTER_BYTES)])
}

/** The id of the key of a few seconds of a playback, as the UUID that players and license servers expect. */
export function keyIdOf(playback: string, version: number, period: number): string {
  const hex = createHash('sha256')
    .update(`key ${playback} ${version} ${period}`)
    .digest()
    .subarray(0, KEY_ID_BYTES)
    .toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
