import { randomBytes } from 'node:crypto'
import type { Vault } from '#platform/identity/vault.ts'

const PURPOSE = 'content keys of publications'
const KEY_BYTES = 32

/** A new key for a publication, as it is stored. */
export function newContentKey(vault: Vault): Buffer {
  return vault.seal(PURPOSE, randomBytes(KEY_BYTES).toString('base64'))
}

export function openContentKey(vault: Vault, sealed: Buffer): Buffer {
  return Buffer.from(vault.open(PURPOSE, sealed), 'base64')
}
