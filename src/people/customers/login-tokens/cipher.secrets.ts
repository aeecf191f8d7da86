import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes } from 'node:crypto'
import { Check, Convert } from 'typebox/value'
import { sameBytes } from '#platform/identity/crypto.ts'
import { withoutNulls } from './rules.ts'
import { LOGIN_TOKEN_MAX, LoginTokenContent } from './schema.ts'

const IV_BYTES = 16
const SIGNATURE_BYTES = 32
const BLOCK_BYTES = 16
const SHORTEST_BYTES = IV_BYTES + BLOCK_BYTES + SIGNATURE_BYTES

export type OpenedToken = {
  /** Identifies the token, however its text was encoded. */
  hash: Buffer
  /** Undefined if it is not what a login token holds. */
  content: LoginTokenContent | undefined
}

/** The bytes of a base64url text, with or without padding; undefined if it is none. */
function decode(text: string): Buffer | undefined {
  if (text.length > LOGIN_TOKEN_MAX || !/^[\w-]+={0,2}$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  const isWhole = (bytes.length - IV_BYTES - SIGNATURE_BYTES) % BLOCK_BYTES === 0
  return bytes.length >= SHORTEST_BYTES && isWhole ? bytes : undefined
}

/** Numbers and texts are read as what the field is, as in the body of a request. */
function contentOf(value: unknown): LoginTokenContent | undefined {
  const content = Convert(LoginTokenContent, withoutNulls(value))
  return Check(LoginTokenContent, content) ? content : undefined
}

/**
 * Decrypts a login token: IV, ciphertext, and an HMAC over both. The SHA-256 hash of the secret is the key of the cipher
 * (first half) and of the signature (second half). Undefined if the token was not made with the secret.
 */
export function openLoginToken(text: string, secret: string): OpenedToken | undefined {
  const bytes = decode(text)
  if (bytes === undefined) return undefined
  const keys = hash('sha256', secret, 'buffer')
  const signed = bytes.subarray(0, -SIGNATURE_BYTES)
  const signature = createHmac('sha256', keys.subarray(16)).update(signed).digest()
  if (!sameBytes(signature, bytes.subarray(-SIGNATURE_BYTES))) return undefined
  const decipher = createDecipheriv('aes-128-cbc', keys.subarray(0, 16), signed.subarray(0, IV_BYTES))
  try {
    const plain = Buffer.concat([decipher.update(signed.subarray(IV_BYTES)), decipher.final()])
    return { hash: hash('sha256', bytes, 'buffer'), content: contentOf(JSON.parse(plain.toString())) }
  } catch {
    return undefined
  }
}

/** Makes a login token, as the site of a shop owner does. */
export function sealLoginToken(json: string, secret: string): string {
  const keys = hash('sha256', secret, 'buffer')
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-128-cbc', keys.subarray(0, 16), iv)
  const signed = Buffer.concat([iv, cipher.update(json), cipher.final()])
  const signature = createHmac('sha256', keys.subarray(16)).update(signed).digest()
  return Buffer.concat([signed, signature]).toString('base64url')
}
