import type { Tx } from '#platform/db/database.ts'
import { toError } from '#platform/errors/to-error.ts'
import type { Job } from '#platform/jobs/kinds.ts'
import { TRIES_MAX } from '#platform/jobs/retry.ts'
import { requestCreditNote } from '#selling/invoices/commands.ts'
import { lockOrder } from '#selling/orders/queries.ts'
import { setRefundStatus } from '#selling/orders/refunds/commands.ts'
import { warnOwner } from './commands.ts'
import { callGateway, openGateway, type PaymentWork } from './gateways/commands.ts'
import type { Returned } from './gateways/gateway.ts'
import { readParts, readPaymentsOfOrder } from './queries.ts'
import { savePart, savePayment } from './rows.commands.ts'
import { flagged, planReturn, withRefund } from './rules.ts'
import type { PartOfRefund, PaymentState } from './state.ts'

export type OfRefund = { order_id: number; refund_id: number }

/** A part of a refund with its payment. */
type Due = { part: PartOfRefund; payment: PaymentState }

/**
 * Returns the money of a refund through the payments that it came from. The plan is stored before the gateway is asked, and
 * each part has its own key at the gateway, so that a worker that is killed in between returns nothing twice.
 */
export async function payBack(work: PaymentWork, { companyId, data, attempts }: Job<OfRefund, number>): Promise<void> {
  const due = await work.change((tx) => planParts(tx, companyId, data, work.now(companyId)))
  for (const { part, payment } of due) {
    const returned = await returnPart(work, { part, payment }, attempts >= TRIES_MAX)
    await work.change((tx) => recordReturn(tx, companyId, data, part, returned, work.now(companyId)))
  }
}

/** Records that the work on a refund ended every process that tried it. */
export async function giveUpReturn(work: PaymentWork, { companyId, data }: Job<OfRefund, number>): Promise<void> {
  const returned: Returned = { kind: 'refused', reason: 'The refund could not be processed.', isFinal: false }
  const due = await work.change((tx) => planParts(tx, companyId, data, work.now(companyId)))
  for (const { part } of due)
    await work.change((tx) => recordReturn(tx, companyId, data, part, returned, work.now(companyId)))
}

/** The parts that are still to be returned. Those that failed are tried again. */
async function planParts(tx: Tx, companyId: number, { order_id, refund_id }: OfRefund, now: Date): Promise<Due[]> {
  const order = await lockOrder(tx, companyId, String(order_id))
  const refund = order.refunds.find(({ id }) => id === refund_id)
  await requestCreditNote(tx, companyId, order_id, refund_id, now)
  if (refund?.status !== 'pending') return []
  const payments = await readPaymentsOfOrder(tx, companyId, order_id)
  const parts = await readParts(
    tx,
    companyId,
    payments.map(({ id }) => id),
  )
  const known = parts.filter((part) => part.refund_id === refund_id)
  const own = known.length > 0 ? known : planReturn(refund, payments, parts, now)
  if (own.length === 0) {
    await setRefundStatus(tx, order, refund_id, 'success', now)
    return []
  }
  const open = own.filter(({ status }) => status !== 'done')
  for (const part of open) await savePart(tx, { ...part, status: 'pending', error: null, updated_at: now })
  return open.flatMap((part) => {
    const payment = payments.find(({ id }) => id === part.payment_id)
    return payment === undefined ? [] : [{ part, payment }]
  })
}

/** A gateway that does not answer is asked again later. The last time, that counts as a refusal, which the owner sees. */
async function returnPart(work: PaymentWork, { part, payment }: Due, isLast: boolean): Promise<Returned> {
  const key = `licet-refund-${part.company_id}-${part.refund_id}-${part.payment_id}-${part.attempt}`
  try {
    const gateway = await openGateway(work, part.company_id, payment.gateway)
    return await callGateway(payment.gateway, gateway, ({ refund }) => refund(payment, part.amount_cents, key))
  } catch (error) {
    if (!isLast) throw error
    return { kind: 'refused', reason: toError(error).message, isFinal: false }
  }
}

async function recordReturn(
  tx: Tx,
  companyId: number,
  { order_id, refund_id }: OfRefund,
  { payment_id }: PartOfRefund,
  returned: Returned,
  now: Date,
): Promise<void> {
  const order = await lockOrder(tx, companyId, String(order_id))
  const payments = await readPaymentsOfOrder(tx, companyId, order_id)
  const payment = payments.find(({ id }) => id === payment_id)
  const parts = await readParts(
    tx,
    companyId,
    payments.map(({ id }) => id),
  )
  const own = parts.filter((part) => part.refund_id === refund_id)
  const part = own.find((one) => one.payment_id === payment_id)
  // Another worker may have recorded the same answer of the gateway.
  if (payment === undefined || part === undefined || part.status !== 'pending') return
  if (returned.kind === 'refused') {
    const { payment: after, newFlags } = flagged(payment, ['refund_failed'], now)
    const attempt = returned.isFinal ? part.attempt + 1 : part.attempt
    await savePart(tx, { ...part, status: 'failed', error: returned.reason, attempt, updated_at: now })
    await savePayment(tx, after)
    await warnOwner(tx, after, newFlags, now)
    await setRefundStatus(tx, order, refund_id, 'failure', now)
    return
  }
  await savePart(tx, { ...part, status: 'done', external_id: returned.externalId, updated_at: now })
  await savePayment(tx, withRefund(payment, part.amount_cents, now))
  const isAll = own.every((one) => one.payment_id === payment_id || one.status === 'done')
  if (isAll) await setRefundStatus(tx, order, refund_id, 'success', now)
}
