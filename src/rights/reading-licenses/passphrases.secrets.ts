import { randomBelow } from '#platform/identity/crypto.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { inGroups, makeTypedCode } from '#platform/wire/typed-codes.ts'

export const PASSPHRASES_PURPOSE = 'passphrases for reading apps'
/** 73 bits, and a check: more than anybody can try who has a license and no passphrase. */
const LENGTH = 16
const GROUP = 4

/** A new passphrase, as it is stored. */
export function newPassphrase(vault: Vault): Buffer {
  return vault.seal(PASSPHRASES_PURPOSE, inGroups(makeTypedCode(LENGTH, randomBelow), GROUP))
}

export function openPassphrase(vault: Vault, sealed: Buffer): string {
  return vault.open(PASSPHRASES_PURPOSE, sealed)
}
