import { createCipheriv, hash } from 'node:crypto'
import type { LicenseKeys } from '../state.ts'

const IV_BYTES = 16

/** What a reading app makes of the passphrase that its user types. */
export function passphraseHash(passphrase: string): Buffer {
  return hash('sha256', passphrase, 'buffer')
}

/** AES-256-CBC with the vector in front, as everything in LCP is encrypted. */
function encrypt(userKey: Buffer, content: Buffer, iv: Buffer): string {
  const cipher = createCipheriv('aes-256-cbc', userKey, iv)
  return Buffer.concat([iv, cipher.update(content), cipher.final()]).toString('base64')
}

/**
 * A vector that nobody can tell from a random one without the content key. It is the same every time, so that a license is, and a
 * download of it can be resumed.
 */
function vectorFor(contentKey: Buffer, purpose: string): Buffer {
  return hash('sha256', Buffer.concat([contentKey, Buffer.from(purpose)]), 'buffer').subarray(0, IV_BYTES)
}

/** What a license says of its keys. */
export function licenseKeys(uid: string, userKey: Buffer, contentKey: Buffer): LicenseKeys {
  return {
    content_key: encrypt(userKey, contentKey, vectorFor(contentKey, `content key ${uid}`)),
    key_check: encrypt(userKey, Buffer.from(uid), vectorFor(contentKey, `key check ${uid}`)),
  }
}
