import { readAssortment } from '#catalog/products/sale/assortment.queries.ts'
import { listDomains } from '#catalog/theme-settings/proofs/queries.ts'
import { findFirstShop } from '#catalog/theme-settings/queries.ts'
import { getCorrespondent } from '#identity/companies/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { readInvoiceSettings } from '#selling/invoices/queries.ts'
import { hasPaidOrder } from '#selling/orders/queries.ts'
import { listOffers } from '#selling/payments/queries.ts'
import { countShippingMethods } from '#selling/shipping-methods/queries.ts'
import type { SetUp } from './state.ts'

/** Reads how far a company is, with a statement for each thing that it needs; they are sent together. */
export async function readSetUp(db: Db, companyId: number, sendsMails: boolean, now: Date): Promise<SetUp> {
  const [company, { vat_id }, offers, assortment, shop, domains, shippingMethods, isPaid] = await Promise.all([
    getCorrespondent(db, companyId),
    readInvoiceSettings(db, companyId, now),
    listOffers(db, companyId),
    readAssortment(db, companyId, now),
    findFirstShop(db, companyId),
    listDomains(db, companyId),
    countShippingMethods(db, companyId),
    hasPaidOrder(db, companyId),
  ])
  return {
    company,
    vatId: vat_id,
    offers,
    assortment,
    shop,
    sendsMails,
    domains,
    shippingMethods,
    hasPaidOrder: isPaid,
  }
}
