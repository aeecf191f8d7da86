import type { StockRow } from '#catalog/products/stock/commands.ts'
import { recordChange } from '#history/audit/commands.ts'
import { assertMayMail } from '#identity/attempts/guard.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Author } from '#platform/identity/caller.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { orderNotConfirmed } from '../errors.ts'
import { getOrder } from '../queries.ts'
import type { OrderState } from '../state.ts'
import { CONFIRM_ORDER, TELL_CANCELLATION, TELL_REFUND, TELL_SHIPMENT, WARN_OF_STOCK } from './jobs.ts'

type Told = Pick<OrderState, 'company_id' | 'id' | 'confirmed' | 'customer_notification'>

/** Sends the customer a confirmation once the order is confirmed, unless notifications are off. */
export async function confirmByMail(tx: Tx, order: Told, now: Date): Promise<void> {
  if (!order.confirmed || !order.customer_notification) return
  await enqueue(tx, { kind: CONFIRM_ORDER, companyId: order.company_id, data: { order_id: order.id } }, now)
}

/** Sends the confirmation again, also of an order whose customer was not to be notified: somebody has asked for it. */
export async function confirmAgain(tx: Tx, author: Author, ref: string, now: Date): Promise<void> {
  const { companyId } = author
  const { id, email, confirmed, cancelled_at } = await getOrder(tx, companyId, ref)
  if (!confirmed || cancelled_at !== null) throw orderNotConfirmed(id)
  await assertMayMail(tx, companyId, email, now)
  await enqueue(tx, { kind: CONFIRM_ORDER, companyId, data: { order_id: id } }, now)
  await recordChange(tx, author, 'order confirmation sent again', `order #${id}`, now)
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
