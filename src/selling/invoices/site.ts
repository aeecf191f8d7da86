import type { ResourceOptions } from '#platform/http/resource.ts'
import { createInvoiceLinks } from './links.secrets.ts'
import { readInvoices } from './queries.ts'
import type { InvoiceState } from './state.ts'

/** An invoice or credit note on a page for its customer. */
export type CustomerDocument = Pick<InvoiceState, 'kind' | 'number'> & {
  /** Where it can be downloaded. */
  path: string
}

/** The documents of an order for the pages of its customer, each with an address that opens without signing in. */
export function createCustomerDocuments({ db, vault }: Pick<ResourceOptions, 'db' | 'vault'>) {
  const { pathOf } = createInvoiceLinks(vault)
  return async (companyId: number, orderId: number): Promise<CustomerDocument[]> => {
    const invoices = await readInvoices(db, companyId, orderId)
    return invoices.map(({ kind, number, id }) => ({ kind, number, path: pathOf(companyId, id) }))
  }
}
