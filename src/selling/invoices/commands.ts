import { recordChange } from '#history/audit/commands.ts'
import { findCompany, getCorrespondent } from '#identity/companies/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import type { Author, Caller } from '#platform/identity/caller.ts'
import { enqueue, retryFailedJobs } from '#platform/jobs/queue.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { FOLLOW_CANCELLATION } from '#selling/orders/jobs.ts'
import { setOrderNumber } from '#selling/orders/order-number.commands.ts'
import { lockOrder } from '#selling/orders/queries.ts'
import type { OrderState } from '#selling/orders/state.ts'
import { readVatId } from '#selling/taxes/vat-ids.facts.ts'
import { invoiceNotIssuable, sellerVatIdInvalid } from './errors.ts'
import { ISSUE_CREDIT_NOTE, ISSUE_INVOICE } from './jobs.ts'
import { presentInvoice, presentInvoiceSettings } from './present.ts'
import { INVOICES, lockInvoiceSettings, readInvoices } from './queries.ts'
import { renderInvoice } from './render.files.ts'
import {
  cancellationContent,
  creditContent,
  type Facts,
  invoiceContent,
  isCancellation,
  isInvoiced,
  newSettings,
  nextNumber,
} from './rules.ts'
import type { InvoiceSettingsInput } from './schema.ts'
import type { InvoiceContent, InvoiceKind, InvoiceSettingsState, InvoiceState } from './state.ts'

/** Reads how customers of a company pay their bills. Payments know it, and they know invoices. */
export type FindInstructions = (tx: Tx, companyId: number) => Promise<string>

/** All orders of a sandbox are tests, and have invoices all the same: their numbers are those of the sandbox. */
async function needsInvoice(tx: Tx, order: OrderState, isSandbox?: boolean): Promise<boolean> {
  const isReal = !order.test || (isSandbox ?? (await findCompany(tx, order.company_id))?.sandbox === true)
  return isInvoiced(order, isReal)
}

type Invoicing = { dueAt?: Date | null /** Absent: it is read where it counts. */; isSandbox?: boolean }

/** Asks for the invoice of an order. An order with a number of its own has an invoice of the seller's already. */
export async function requestInvoice(
  tx: Tx,
  order: OrderState,
  now: Date,
  { dueAt = null, ...known }: Invoicing = {},
): Promise<void> {
  if (order.order_number !== '' || !(await needsInvoice(tx, order, known.isSandbox))) return
  const data = { order_id: order.id, ...(dueAt === null ? {} : { due_at: dueAt.toISOString() }) }
  await enqueue(tx, { kind: ISSUE_INVOICE, companyId: order.company_id, data }, now)
}

/** Asks for the credit note of a refund. */
export async function requestCreditNote(tx: Tx, companyId: number, orderId: number, refundId: number, now: Date) {
  const data = { order_id: orderId, refund_id: refundId }
  await enqueue(tx, { kind: ISSUE_CREDIT_NOTE, companyId, data }, now)
}

const DAY_MS = 86_400_000

/** Sellers have to issue these documents, so that jobs that were given up are tried again a day later. */
export async function requestAgain(tx: Tx, now: Date): Promise<void> {
  const kinds = [ISSUE_INVOICE, ISSUE_CREDIT_NOTE, FOLLOW_CANCELLATION]
  await retryFailedJobs(tx, kinds, new Date(now.getTime() - DAY_MS), now)
}

/**
 * Issues the invoice of an order, once. The number, the document and the number of the order are written together, so that a
 * crash leaves no gap and nothing twice. Refunds that came before get their credit notes.
 */
export async function issueInvoice(
  tx: Tx,
  { companyId }: Pick<Caller, 'companyId'>,
  ref: string,
  findInstructions: FindInstructions,
  now: Date,
  dueAt?: Date,
): Promise<Written<InvoiceState>> {
  const order = await lockOrder(tx, companyId, ref)
  const known = (await readInvoices(tx, companyId, order.id)).find(({ kind }) => kind === 'invoice')
  if (known !== undefined) return { state: known, document: asciiJson(presentInvoice(known)) }
  if (!(await needsInvoice(tx, order))) throw invoiceNotIssuable(order.id)
  const contentOf = (facts: Facts) => invoiceContent(facts, dueAt)
  const state = await issue(tx, order, 'invoice', null, contentOf, findInstructions, now)
  if (order.order_number === '') await setOrderNumber(tx, order, state.number, now)
  for (const { id, amount_cents } of order.refunds)
    if (amount_cents > 0) await requestCreditNote(tx, companyId, order.id, id, now)
  return { state, document: asciiJson(presentInvoice(state)) }
}

/** Issues an invoice that was asked for. An order that was cancelled since needs none. Undefined if there is none to mail. */
export async function issueRequested(
  tx: Tx,
  companyId: number,
  { order_id: orderId, due_at }: { order_id: number; due_at?: string },
  findInstructions: FindInstructions,
  now: Date,
): Promise<InvoiceState | undefined> {
  const order = await lockOrder(tx, companyId, String(orderId))
  const known = await readInvoices(tx, companyId, orderId)
  if (known.length > 0 || !(await needsInvoice(tx, order))) return undefined
  const dueAt = due_at === undefined ? undefined : new Date(due_at)
  return (await issueInvoice(tx, { companyId }, String(orderId), findInstructions, now, dueAt)).state
}

/**
 * Issues the credit note of a refund, once. Without an invoice there is nothing to correct, and neither is there after the
 * whole bill was cancelled: money that arrives for it later is returned as it came.
 */
export async function issueCreditNote(
  tx: Tx,
  companyId: number,
  { order_id, refund_id }: { order_id: number; refund_id: number },
  findInstructions: FindInstructions,
  now: Date,
): Promise<void> {
  const order = await lockOrder(tx, companyId, String(order_id))
  const refund = order.refunds.find(({ id }) => id === refund_id)
  const known = await readInvoices(tx, companyId, order_id)
  const invoice = known.find(({ kind }) => kind === 'invoice')
  if (refund === undefined || invoice === undefined) return
  if (known.some((one) => one.refund_id === refund_id || isCancellation(one))) return
  const contentOf = (facts: Facts) => creditContent(facts, refund, invoice.number)
  await issue(tx, order, 'credit_note', refund_id, contentOf, findInstructions, now)
}

/** Issues the credit note of a bill that was cancelled before it was paid, once. */
export async function issueCancellation(
  tx: Tx,
  companyId: number,
  orderId: number,
  findInstructions: FindInstructions,
  now: Date,
): Promise<void> {
  const order = await lockOrder(tx, companyId, String(orderId))
  const known = await readInvoices(tx, companyId, orderId)
  const invoice = known.find(({ kind }) => kind === 'invoice')
  if (order.cancelled_at === null || invoice === undefined || known.some(({ kind }) => kind === 'credit_note')) return
  const contentOf = (facts: Facts) => cancellationContent(facts, invoice.number)
  await issue(tx, order, 'credit_note', null, contentOf, findInstructions, now)
}

async function issue(
  tx: Tx,
  order: OrderState,
  kind: InvoiceKind,
  refundId: number | null,
  contentOf: (facts: Facts) => InvoiceContent,
  findInstructions: FindInstructions,
  now: Date,
): Promise<InvoiceState> {
  const { company_id: companyId } = order
  const settings = await holdInvoiceSettings(tx, companyId, now)
  const { sequence, number, after } = nextNumber(settings, kind)
  const [company, instructions, { takeRowId }] = await Promise.all([
    getCorrespondent(tx, companyId),
    findInstructions(tx, companyId),
    takeIds(tx, INVOICES, 1, 0),
  ])
  // The copy of the customer is stored for the invoice.
  const facts = { order, buyer: JSON.parse(order.buyer), company, settings, instructions, number, now }
  const content = contentOf(facts)
  const state: InvoiceState = {
    company_id: companyId,
    id: takeRowId(),
    kind,
    order_id: order.id,
    refund_id: refundId,
    sequence_number: sequence,
    number,
    total_cents: content.totalCents,
    currency: order.currency,
    issued_at: now,
  }
  const pdf = await renderInvoice(content)
  await tx
    .insertInto('invoices')
    .values({ ...state, content: JSON.stringify(content), pdf })
    .execute()
  await saveSettings(tx, after)
  return state
}

async function addSettings(tx: Tx, companyId: number, now: Date): Promise<void> {
  await tx
    .insertInto('invoice_settings')
    .values(newSettings(companyId, now))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Locks the settings, which most companies have never changed. */
export async function holdInvoiceSettings(tx: Tx, companyId: number, now: Date): Promise<InvoiceSettingsState> {
  await addSettings(tx, companyId, now)
  return lockInvoiceSettings(tx, companyId)
}

async function saveSettings(tx: Tx, settings: InvoiceSettingsState): Promise<void> {
  await tx.updateTable('invoice_settings').set(settings).where('company_id', '=', settings.company_id).execute()
}

/** Changes the settings that the input names. Documents that were issued stay as they are. */
export async function updateInvoiceSettings(
  tx: Tx,
  author: Author,
  input: InvoiceSettingsInput,
  now: Date,
): Promise<Written<InvoiceSettingsState>> {
  const report = new FieldReport()
  reportUnstorable(input, report)
  const before = await holdInvoiceSettings(tx, author.companyId, now)
  const vatId = input.vat_id?.trim() ? readVatId(input.vat_id) : undefined
  if (vatId === undefined && input.vat_id?.trim()) report.add('vat_id', sellerVatIdInvalid())
  report.throwIfAny()
  const after = { ...before, ...input, vat_id: input.vat_id === undefined ? before.vat_id : (vatId?.id ?? '') }
  await saveSettings(tx, { ...after, updated_at: now })
  await recordChange(tx, author, 'invoice settings changed', Object.keys(input).join(', '), now)
  return { state: after, document: asciiJson(presentInvoiceSettings(after)) }
}
