import type { Vault } from '#platform/identity/vault.ts'
import { createSignatures, type Signatures } from '#rights/content-files/delivery/signatures.secrets.ts'

/** Signs the addresses of files, as those that apps get. */
export function createDownloadSignatures(vault: Vault): Signatures {
  return createSignatures(vault)
}
