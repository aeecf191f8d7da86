import type { Vault } from '#platform/identity/vault.ts'
import { createGiftLinks, type GiftLinks } from '#rights/redemption-codes/gifts/links.secrets.ts'

/** The addresses of gifts are those that the mails have. */
export function createGiftAddresses(vault: Vault): GiftLinks {
  return createGiftLinks(vault)
}
