import { createHash } from 'node:crypto'
import type { Db, Tx } from '#platform/db/database.ts'
import { getOrderDocument } from '#selling/orders/queries.ts'
import { invoiceNotFound } from './errors.ts'
import { newSettings } from './rules.ts'
import type { InvoiceSettingsState, InvoiceState } from './state.ts'

export const INVOICES = 'invoices'

/** Every read of invoices starts here, so none can forget the company. */
function invoicesOf(db: Db, companyId: number) {
  return db.selectFrom('invoices').where('invoices.company_id', '=', companyId)
}

const COLUMNS = [
  'company_id',
  'id',
  'kind',
  'order_id',
  'refund_id',
  'sequence_number',
  'number',
  'total_cents',
  'currency',
  'issued_at',
] as const

/** The invoice and the credit notes of an order, oldest first. */
export function readInvoices(db: Db, companyId: number, orderId: number): Promise<InvoiceState[]> {
  return invoicesOf(db, companyId)
    .select(COLUMNS)
    .$narrowType<Pick<InvoiceState, 'kind'>>()
    .where('invoices.order_id', '=', orderId)
    .orderBy('invoices.id')
    .execute()
}

/** readInvoices for an order that a caller names; another company's is not found. */
export async function readInvoicesOf(db: Db, companyId: number, ref: string): Promise<InvoiceState[]> {
  await getOrderDocument(db, companyId, ref)
  return readInvoices(db, companyId, Number(ref))
}

export type StoredPdf = { number: string; pdf: Buffer; etag: string }

/** A document as it is sent. */
export function withEtag(found: { number: string; pdf: Buffer }): StoredPdf {
  return { ...found, etag: `"${createHash('sha256').update(found.pdf).digest('base64url')}"` }
}

/** The PDF of the invoice of an order; another company's is not found. */
export async function getInvoicePdf(db: Db, companyId: number, orderRef: string): Promise<StoredPdf> {
  if (!/^\d{1,15}$/.test(orderRef)) throw invoiceNotFound(orderRef)
  const found = await invoicesOf(db, companyId)
    .select(['number', 'pdf'])
    .where('invoices.order_id', '=', Number(orderRef))
    .where('invoices.kind', '=', 'invoice')
    .executeTakeFirst()
  if (found === undefined) throw invoiceNotFound(orderRef)
  return withEtag(found)
}

/** The PDF of an invoice or a credit note of an order; another company's is not found. */
export async function getDocumentPdf(db: Db, companyId: number, orderRef: string, ref: string): Promise<StoredPdf> {
  if (!/^\d{1,15}$/.test(orderRef) || !/^\d{1,15}$/.test(ref)) throw invoiceNotFound(orderRef)
  const found = await invoicesOf(db, companyId)
    .select(['number', 'pdf'])
    .where('invoices.order_id', '=', Number(orderRef))
    .where('invoices.id', '=', Number(ref))
    .executeTakeFirst()
  if (found === undefined) throw invoiceNotFound(orderRef)
  return withEtag(found)
}

/** The PDF of an invoice or a credit note by its id. */
export async function findPdf(db: Db, companyId: number, id: number): Promise<StoredPdf | undefined> {
  const found = await invoicesOf(db, companyId)
    .select(['number', 'pdf'])
    .where('invoices.id', '=', id)
    .executeTakeFirst()
  return found === undefined ? undefined : withEtag(found)
}

/** Every read of the settings starts here, so none can forget the company. */
function invoiceSettingsOf(db: Db, companyId: number) {
  return db.selectFrom('invoice_settings').where('invoice_settings.company_id', '=', companyId).selectAll()
}

export async function readInvoiceSettings(db: Db, companyId: number, now: Date): Promise<InvoiceSettingsState> {
  return (await invoiceSettingsOf(db, companyId).executeTakeFirst()) ?? newSettings(companyId, now)
}

/** Locks the settings, and with them the numbers, until the transaction ends. */
export async function lockInvoiceSettings(tx: Tx, companyId: number): Promise<InvoiceSettingsState> {
  return invoiceSettingsOf(tx, companyId).forNoKeyUpdate().executeTakeFirstOrThrow()
}
