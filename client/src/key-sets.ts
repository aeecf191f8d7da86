import { type Bytes, concatenated, fromBase64Url, sha256, toBase64Url, utf8 } from './encoding.ts'
import { parsed } from './license-files.ts'

/** The public half of the key pair of a device, as the service takes it. */
export type DevicePublicKey = { kty: 'OKP' | 'EC'; crv: 'X25519' | 'P-256'; x: string; y?: string }

/** The key pair of a device. Its private half can be stored in IndexedDB as it is, so that no script reads it. */
export type DeviceKeys = { publicKey: DevicePublicKey; privateKey: CryptoKey; thumbprint: string }

/** A JSON Web Key (RFC 7517). */
export type Jwk = { kty?: string; crv?: string; x?: string; y?: string; d?: string; k?: string; alg?: string }

type KeyPair = { publicKey: CryptoKey; privateKey: CryptoKey }

const ALGORITHM = 'ECDH-ES+A256KW'

/** Makes a key pair on the device. A program that stores it as text needs an `extractable` one. */
export async function createDeviceKeys({ extractable = false } = {}): Promise<DeviceKeys> {
  const pair = (await crypto.subtle.generateKey('X25519', extractable, ['deriveBits'])) as KeyPair
  return keysOf(await crypto.subtle.exportKey('jwk', pair.publicKey), pair.privateKey)
}

/** The key pair that was stored as a JSON Web Key, by `crypto.subtle.exportKey('jwk', keys.privateKey)`. */
export async function importDeviceKeys(jwk: Jwk): Promise<DeviceKeys> {
  return keysOf(jwk, await crypto.subtle.importKey('jwk', jwk, curveOf(jwk.crv), false, ['deriveBits']))
}

async function keysOf({ kty, crv, x, y }: Jwk, privateKey: CryptoKey): Promise<DeviceKeys> {
  const publicKey = { kty, crv, x, ...(y === undefined ? {} : { y }) } as DevicePublicKey
  // RFC 7638: the members in the order of their names.
  const text = JSON.stringify({ crv, kty, x, y })
  const thumbprint = toBase64Url(await sha256(utf8(text))).replaceAll('=', '')
  return { publicKey, privateKey, thumbprint }
}

const curveOf = (crv?: string) => (crv === 'X25519' ? crv : { name: 'ECDH', namedCurve: crv ?? '' })

/** A number of four bytes, the first one first. */
function uint32(number: number): Bytes {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, number)
  return bytes
}

/** The one round of the Concat KDF that 256 bits need (RFC 7518, section 4.6.2). */
function derived(secret: Bytes): Promise<Bytes> {
  const none = uint32(0)
  const name = utf8(ALGORITHM)
  return sha256(concatenated(uint32(1), secret, uint32(name.length), name, none, none, uint32(256)))
}

type Header = { alg?: string; enc?: string; epk?: Jwk; apu?: string; apv?: string; crit?: unknown }

/**
 * Decrypts a key set (RFC 7517, section 7) with the private key of the device, and returns the keys of tracks by their ids.
 * Undefined if it was encrypted for another key, or cut.
 */
export async function openKeySet(jwe: string, { privateKey }: DeviceKeys): Promise<Map<string, CryptoKey> | undefined> {
  try {
    const [head = '', wrapped, iv, body, tag] = jwe.split('.')
    const { alg, enc, epk = {}, apu, apv, crit } = parsed<Header>(head) ?? {}
    const [key, nonce, text, end] = [wrapped, iv, body, tag].map((part = '') => fromBase64Url(part))
    const isKnown = alg === ALGORITHM && enc === 'A256GCM' && apu === undefined && apv === undefined
    if (!isKnown || crit !== undefined || !key || !nonce || !text || !end) return undefined
    const { subtle } = crypto
    const { name } = privateKey.algorithm
    const { kty = '', crv = '', x = '', y } = epk
    const point = { kty, crv, x, ...(y === undefined ? {} : { y }) }
    const other = await subtle.importKey('jwk', point, curveOf(crv), false, [])
    const secret = new Uint8Array(await subtle.deriveBits({ name, public: other }, privateKey, 256))
    const wrapping = await subtle.importKey('raw', await derived(secret), 'AES-KW', false, ['unwrapKey'])
    const content = await subtle.unwrapKey('raw', key, wrapping, 'AES-KW', 'AES-GCM', false, ['decrypt'])
    const how = { name: 'AES-GCM', iv: nonce, additionalData: utf8(head) }
    const clear = await subtle.decrypt(how, content, concatenated(text, end))
    const set: { keys: { kid: string; kty: string; alg: string; k: string }[] } = JSON.parse(
      new TextDecoder().decode(clear),
    )
    const keys = set.keys.map(async ({ kid, kty, alg, k }) => {
      const track = await subtle.importKey('jwk', { kty, alg, k }, 'AES-CTR', false, ['decrypt'])
      return [kid, track] as const
    })
    return new Map(await Promise.all(keys))
  } catch {
    return undefined
  }
}

const BLOCK = 16

/**
 * Decrypts the bytes of a track that begin at a place. The counter is the number of the block, in the last eight bytes.
 */
export async function decryptAt(key: CryptoKey, at: number, bytes: Uint8Array): Promise<Bytes> {
  const counter = new Uint8Array(BLOCK)
  new DataView(counter.buffer).setBigUint64(BLOCK / 2, BigInt(Math.floor(at / BLOCK)))
  // What lies before the place in its block is filled, and left out again.
  const before = at % BLOCK
  const whole = concatenated(new Uint8Array(before), bytes)
  const clear = await crypto.subtle.decrypt({ name: 'AES-CTR', counter, length: 64 }, key, whole)
  return new Uint8Array(clear).subarray(before)
}
