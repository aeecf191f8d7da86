import { createHmac } from 'node:crypto'
import { sameBytes } from '#platform/identity/crypto.ts'
import type { Vault } from '#platform/identity/vault.ts'

export type GiftLinks = ReturnType<typeof createGiftLinks>

const SIGNATURE_LENGTH = 22

/** Signs the addresses of the pages on which gifts are accepted. They work as long as the gift does. */
export function createGiftLinks(vault: Vault) {
  const key = vault.key('gift addresses')
  const sign = (companyId: number, id: number) =>
    createHmac('sha256', key).update(`gift ${companyId} ${id}`).digest('base64url').slice(0, SIGNATURE_LENGTH)
  return {
    pathOf: (companyId: number, id: number) => `/gifts/${id}-${sign(companyId, id)}`,
    /** The id of the gift that an address names; undefined if it was not made here. */
    readPath(companyId: number, ref: string): number | undefined {
      const [, id, signature = ''] = /^(\d{1,15})-([\w-]{22})$/.exec(ref) ?? []
      if (id === undefined) return undefined
      const isRight = sameBytes(Buffer.from(sign(companyId, Number(id))), Buffer.from(signature))
      return isRight ? Number(id) : undefined
    },
  }
}
