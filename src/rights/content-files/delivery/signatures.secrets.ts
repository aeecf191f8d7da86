import { createHmac } from 'node:crypto'
import { sameBytes } from '#platform/identity/crypto.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { addressExpired, addressWrong } from '../errors.ts'

/** How long an address works. A large file on a slow line takes hours, and revoking ends it at once. */
export const LIFETIME_SECONDS = 6 * 3600

/** Everything that an address is bound to. */
export type Signed = { companyId: number; fileId: number; entitlementId: number; customerId: number; expires: number }

export type Signatures = {
  sign(signed: Signed): string
  /** Throws unless the signature is right and has not expired. */
  check(signed: Signed, signature: string, now: Date): void
}

export function createSignatures(vault: Vault): Signatures {
  const key = vault.key('content file addresses')

  function sign({ companyId, fileId, entitlementId, customerId, expires }: Signed): string {
    const text = ['file', companyId, fileId, entitlementId, customerId, expires].join(' ')
    return createHmac('sha256', key).update(text).digest('base64url')
  }

  return {
    sign,
    check(signed, signature, now) {
      if (!sameBytes(Buffer.from(sign(signed)), Buffer.from(signature))) throw addressWrong()
      if (signed.expires * 1000 <= now.getTime()) throw addressExpired()
    },
  }
}
