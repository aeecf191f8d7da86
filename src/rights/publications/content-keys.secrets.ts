import { randomBytes } from 'node:crypto'
import type { Vault } from '#platform/identity/vault.ts'

export const PUBLICATION_KEYS_PURPOSE = 'content keys of publications'
const KEY_BYTES = 32

/** A new key for a publication, as it is stored. */
export function newContentKey(vault: Vault): Buffer {
  return vault.seal(PUBLICATION_KEYS_PURPOSE, randomBytes(KEY_BYTES).toString('base64'))
}

export function openContentKey(vault: Vault, sealed: Buffer): Buffer {
  return Buffer.from(vault.open(PUBLICATION_KEYS_PURPOSE, sealed), 'base64')
}
