import type { StockRow } from '#catalog/products/stock/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import type { OrderState } from '../state.ts'
import { CONFIRM_ORDER, TELL_CANCELLATION, TELL_REFUND, TELL_SHIPMENT, WARN_OF_STOCK } from './jobs.ts'

type Told = Pick<OrderState, 'company_id' | 'id' | 'confirmed' | 'customer_notification'>

/** Sends the customer a confirmation once the order is confirmed, unless notifications are off. */
export async function confirmByMail(tx: Tx, order: Told, now: Date): Promise<void> {
  if (!order.confirmed || !order.customer_notification) return
  await enqueue(tx, { kind: CONFIRM_ORDER, companyId: order.company_id, data: { order_id: order.id } }, now)
}

export async function tellOfRefund(tx: Tx, order: Told, refundId: number, now: Date): Promise<void> {
  if (!order.customer_notification) return
  const data = { order_id: order.id, refund_id: refundId }
  await enqueue(tx, { kind: TELL_REFUND, companyId: order.company_id, data }, now)
}

export async function tellOfCancellation(tx: Tx, order: Told, now: Date): Promise<void> {
  if (!order.customer_notification) return
  await enqueue(tx, { kind: TELL_CANCELLATION, companyId: order.company_id, data: { order_id: order.id } }, now)
}

export async function tellOfShipment(tx: Tx, order: Told, now: Date): Promise<void> {
  if (!order.customer_notification) return
  await enqueue(tx, { kind: TELL_SHIPMENT, companyId: order.company_id, data: { order_id: order.id } }, now)
}

/** Warns the owners of stocks that have just become low. */
export async function warnOfLowStock(tx: Tx, low: readonly StockRow[], now: Date): Promise<void> {
  const warnings = low.map(({ company_id, product_id, title, stock }) => ({
    kind: WARN_OF_STOCK,
    companyId: company_id,
    data: { product_id, title, stock },
  }))
  await enqueue(tx, warnings, now)
}
