import { createCipheriv, createHmac, hkdfSync } from 'node:crypto'
import type { DevicePublicKey } from './state.ts'

/** Loaded when the first license is issued, so that a start does not wait for it. */
const jose = () => import('jose')

const KEY_BYTES = 32
const ETAG_BYTES = 16
const BLOCK = 16

/** The key of one track for one license: it opens no other track, and nothing of another license. */
export function trackKey(contentKey: Buffer, license: string, track: string): Buffer {
  return Buffer.from(hkdfSync('sha256', contentKey, license, `device license track ${track}`, KEY_BYTES))
}

/** Names the encrypted bytes of a track: the same key has the same bytes. */
export function trackEtag(key: Buffer): string {
  return `"${createHmac('sha256', key).update('etag').digest().subarray(0, ETAG_BYTES).toString('base64url')}"`
}

/**
 * Encrypts a track from any of its bytes on: AES-256 in counter mode, whose counter is the number of the block of 16 bytes, in
 * the last eight bytes of a block that is zero otherwise. A key encrypts one track, so no counter is used twice.
 */
export function encryptorAt(key: Buffer, at: number): (clear: Buffer) => Buffer {
  const counter = Buffer.alloc(BLOCK)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / BLOCK)), BLOCK / 2)
  const cipher = createCipheriv('aes-256-ctr', key, counter)
  cipher.update(Buffer.alloc(at % BLOCK))
  return (clear) => cipher.update(clear)
}

export async function thumbprintOf(key: DevicePublicKey): Promise<string> {
  const { calculateJwkThumbprint } = await jose()
  return calculateJwkThumbprint(key)
}

const HOW = { alg: 'ECDH-ES+A256KW', enc: 'A256GCM' } as const

/** Encrypts the keys of tracks for a device, as a key set (RFC 7517, section 7). Throws if the public key is none. */
export async function wrapKeys(
  { publicKey, thumbprint }: { publicKey: DevicePublicKey; thumbprint: string },
  keys: ReadonlyMap<string, Buffer>,
): Promise<string> {
  const { CompactEncrypt, importJWK } = await jose()
  const set = [...keys].map(([kid, key]) => ({ kty: 'oct', kid, alg: 'A256CTR', k: key.toString('base64url') }))
  return new CompactEncrypt(Buffer.from(JSON.stringify({ keys: set })))
    .setProtectedHeader({ ...HOW, cty: 'jwk-set+json', kid: thumbprint })
    .encrypt(await importJWK(publicKey, HOW.alg))
}

/** Can anything be encrypted for this key? A point that every private key leads to the same secret for is refused, too. */
export async function isUsable(key: DevicePublicKey): Promise<boolean> {
  return wrapKeys({ publicKey: key, thumbprint: '' }, new Map()).then(
    () => true,
    () => false,
  )
}
