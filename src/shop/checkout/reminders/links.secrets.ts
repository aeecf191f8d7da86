import { createHmac } from 'node:crypto'
import { sameBytes, tokenHash } from '#platform/identity/crypto.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { addressKey } from './rules.ts'

/** Whose reminders a link ends: the hash stands for the address, which the link does not contain. */
export type Stop = { companyId: number; emailHash: Buffer; language: string }

/** Signs the links in reminders. They sign nobody in: one shows what is in a cart, the other ends the reminders. */
export function createReminderLinks(vault: Vault) {
  const key = vault.key('cart reminders')
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  const isSigned = (text: string, signature: string) => sameBytes(Buffer.from(sign(text)), Buffer.from(signature))
  const cart = (companyId: number, shopId: number, id: number | string) => `cart ${companyId} ${shopId} ${id}`
  return {
    cartToken: (companyId: number, shopId: number, id: number) => `${id}-${sign(cart(companyId, shopId, id))}`,
    /** The cart of a link; undefined if the link is not ours, or belongs to another shop. */
    readCart(companyId: number, shopId: number, token: string): number | undefined {
      const [, id = '', signature = ''] = /^(\d{1,15})-([\w-]{43})$/.exec(token) ?? []
      return isSigned(cart(companyId, shopId, id), signature) ? Number(id) : undefined
    },
    stopToken(companyId: number, email: string, language: string): string {
      const text = `${companyId}-${language}-${tokenHash(addressKey(email)).toString('hex')}`
      return `${text}-${sign(`stop ${text}`)}`
    },
    readStop(token: string): Stop | undefined {
      const [, text = '', id, language = '', hash = '', signature = ''] =
        /^((\d{1,15})-([a-z]{2,8})-([0-9a-f]{64}))-([\w-]{43})$/.exec(token) ?? []
      if (!isSigned(`stop ${text}`, signature)) return undefined
      return { companyId: Number(id), language, emailHash: Buffer.from(hash, 'hex') }
    },
  }
}

export type ReminderLinks = ReturnType<typeof createReminderLinks>
