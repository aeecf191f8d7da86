import { createHmac } from 'node:crypto'
import { sameBytes } from '#platform/identity/crypto.ts'
import type { Vault } from '#platform/identity/vault.ts'

export type InvoiceLinks = ReturnType<typeof createInvoiceLinks>

/** Signs the addresses of documents for customers. They work for as long as the document exists: customers keep their mails. */
export function createInvoiceLinks(vault: Vault) {
  const key = vault.key('invoice addresses')
  const sign = (companyId: number, id: number) =>
    createHmac('sha256', key).update(`invoice ${companyId} ${id}`).digest('base64url')
  return {
    pathOf: (companyId: number, id: number) => `/invoices/${companyId}/${id}/${sign(companyId, id)}.pdf`,
    isRight: (companyId: number, id: number, signature: string) =>
      sameBytes(Buffer.from(sign(companyId, id)), Buffer.from(signature)),
  }
}
