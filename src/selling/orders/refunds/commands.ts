import { recordChange } from '#history/audit/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import type { Author, Caller } from '#platform/identity/caller.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { tellOfRefund } from '../mails/commands.ts'
import { getOrderDocument, lockOrder, lockSale } from '../queries.ts'
import { saveOrder, saveRefundStatus } from '../rows.commands.ts'
import { orderName } from '../rules.ts'
import { takeBack } from '../sale/effects.commands.ts'
import type { OrderState } from '../state.ts'
import { noRefundFailed } from './errors.ts'
import { FOLLOW_REFUND } from './jobs.ts'
import { presentRefund } from './present.ts'
import { newRefund, planRefund, refundOrder } from './rules.ts'
import type { RefundInput } from './schema.ts'
import type { RefundSource, RefundState, RefundStatus } from './state.ts'

const REFUNDS = 'refunds'

/**
 * Refunds all or a part of an order. Money that came through a gateway goes back through it, by a job; otherwise the seller
 * pays it back.
 */
export async function createRefund(
  tx: Tx,
  author: Author,
  ref: string,
  input: RefundInput,
  source: RefundSource,
  now: Date,
): Promise<Written<RefundState>> {
  const { order: before, customer } = await lockSale(tx, author.companyId, ref)
  const plan = planRefund(before, input)
  const { takeRowId, takePartId } = await takeIds(tx, REFUNDS, 1, plan.given.length + 1)
  const refund = newRefund(before, input, plan, { id: takeRowId(), takeId: takePartId, source, now })
  const after = refundOrder(before, refund, plan, now)
  const reason = { kind: 'refund', refund } as const
  // A cancellation has taken back everything but the money.
  const rest = before.cancelled_at === null ? { customer, lines: plan.given } : { customer: undefined, lines: [] }
  await takeBack(tx, { before, after, ...rest, restock: refund.restock, reason }, now)
  await recordChange(tx, author, 'order refunded', orderName(before.id), now)
  return { state: refund, document: asciiJson(presentRefund(refund, after)) }
}

/** Notes how the return of the money went, which the customer is told if it worked. Lock the order first. */
export async function setRefundStatus(
  tx: Tx,
  order: OrderState,
  refundId: number,
  status: RefundStatus,
  now: Date,
): Promise<OrderState> {
  const before = order.refunds.find(({ id }) => id === refundId)
  if (before === undefined || before.status === status) return order
  const refunds = order.refunds.map((refund) => (refund.id === refundId ? { ...refund, status } : refund))
  const after = { ...order, refunds, updated_at: now }
  await saveRefundStatus(tx, { ...before, status })
  await saveOrder(tx, after)
  if (status === 'success') await tellOfRefund(tx, after, refundId, now)
  return after
}

/** Tries again to return the money of the refunds of an order that failed. */
export async function retryRefunds(
  tx: Tx,
  { companyId }: Pick<Caller, 'companyId'>,
  ref: string,
  now: Date,
): Promise<Written<OrderState>> {
  let order = await lockOrder(tx, companyId, ref)
  const failed = order.refunds.filter(({ status }) => status === 'failure')
  if (failed.length === 0) throw noRefundFailed(order.id)
  for (const { id } of failed) {
    order = await setRefundStatus(tx, order, id, 'pending', now)
    await enqueue(tx, { kind: FOLLOW_REFUND, companyId, data: { order_id: order.id, refund_id: id } }, now)
  }
  return { state: order, document: await getOrderDocument(tx, companyId, ref) }
}
