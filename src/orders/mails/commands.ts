import type { Tx } from '#platform/db/database.ts'
import { enqueueQuietly } from '#platform/jobs/queue.ts'
import type { StockRow } from '#products/stock/commands.ts'
import type { OrderState } from '../state.ts'

/** The kinds of jobs that write mails about orders. Their data says what about; the mail is written when it is sent. */
export const CONFIRM_ORDER = 'order/confirm'
export const TELL_REFUND = 'order/tell-refund'
export const TELL_SHIPMENT = 'order/tell-shipment'
export const WARN_OF_STOCK = 'order/warn-of-stock'

type Told = Pick<OrderState, 'company_id' | 'id' | 'confirmed' | 'customer_notification'>

/** Tells the customer that the order is there, once it is confirmed, unless nobody is to be told. */
export async function confirmByMail(tx: Tx, order: Told, now: Date): Promise<void> {
  if (!order.confirmed || !order.customer_notification) return
  await enqueueQuietly(tx, { kind: CONFIRM_ORDER, companyId: order.company_id, data: { order_id: order.id } }, now)
}

export async function tellOfRefund(tx: Tx, order: Told, refundId: number, now: Date): Promise<void> {
  if (!order.customer_notification) return
  const data = { order_id: order.id, refund_id: refundId }
  await enqueueQuietly(tx, { kind: TELL_REFUND, companyId: order.company_id, data }, now)
}

export async function tellOfShipment(tx: Tx, order: Told, now: Date): Promise<void> {
  if (!order.customer_notification) return
  await enqueueQuietly(tx, { kind: TELL_SHIPMENT, companyId: order.company_id, data: { order_id: order.id } }, now)
}

/** Warns the owners of stocks that have just become low. */
export async function warnOfLowStock(tx: Tx, low: readonly StockRow[], now: Date): Promise<void> {
  for (const { company_id, product_id, title, stock } of low) {
    const data = { product_id, title, stock }
    await enqueueQuietly(tx, { kind: WARN_OF_STOCK, companyId: company_id, data }, now)
  }
}
