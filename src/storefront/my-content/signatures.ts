import { createSignatures, type Signatures } from '#content-files/delivery/signatures.ts'
import type { Vault } from '#platform/vault.ts'

/** Signs the addresses of files, as those that apps get. */
export function createDownloadSignatures(vault: Vault): Signatures {
  return createSignatures(vault)
}
