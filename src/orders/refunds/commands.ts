import type { Caller } from '#platform/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { asciiJson } from '#platform/wire.ts'
import type { Written } from '#platform/written.ts'
import { lockSale } from '../queries.ts'
import { takeBack } from '../sale-effects.ts'
import { presentRefund } from './present.ts'
import { newRefund, planRefund, refundOrder } from './rules.ts'
import type { RefundInput } from './schema.ts'
import type { RefundSource, RefundState } from './state.ts'

const REFUNDS = 'refunds'

/** Records that all or a part of an order was paid back. The payment itself is up to the caller. */
export async function createRefund(
  tx: Tx,
  { companyId }: Pick<Caller, 'companyId'>,
  ref: string,
  input: RefundInput,
  source: RefundSource,
  now: Date,
): Promise<Written<RefundState>> {
  const { order: before, customer } = await lockSale(tx, companyId, ref)
  const plan = planRefund(before, input)
  const { takeRowId, takePartId } = await takeIds(tx, REFUNDS, 1, plan.given.length + 1)
  const refund = newRefund(before, input, plan, { id: takeRowId(), takeId: takePartId, source, now })
  const after = refundOrder(before, refund, plan, now)
  const reason = { kind: 'refund', refund } as const
  // A cancellation has taken back everything but the money.
  const rest = before.cancelled_at === null ? { customer, lines: plan.given } : { customer: undefined, lines: [] }
  await takeBack(tx, { before, after, ...rest, restock: refund.restock, reason }, now)
  return { state: refund, document: asciiJson(presentRefund(refund, after)) }
}
