import type { OwnCustomer } from '#customers/queries.ts'
import { saveRelations } from '#customers/relations.ts'
import type { Caller } from '#platform/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { asciiJson } from '#platform/wire.ts'
import { isCounted } from '../buyers/rules.ts'
import { recount } from '../counts/commands.ts'
import { refreshFulfillment } from '../fulfillments/commands.ts'
import { returnGoods } from '../goods.ts'
import { tellOfRefund } from '../mails/commands.ts'
import { lockSale } from '../queries.ts'
import { saveLines, saveOrder } from '../rows.ts'
import { bookBack } from '../shares.ts'
import { presentRefund } from './present.ts'
import { planRefund, refundOrder } from './rules.ts'
import type { RefundInput } from './schema.ts'
import type { RefundState } from './state.ts'

const REFUNDS = 'refunds'

/**
 * Pays back an order, or a part of it, and answers the refund. What was given back is not shipped any more, its shares are
 * booked back, and it no longer counts as spent. No payment is made: that is for who asks for it.
 */
export async function createRefund(
  tx: Tx,
  { companyId }: Pick<Caller, 'companyId'>,
  ref: string,
  input: RefundInput,
  now: Date,
): Promise<string> {
  const { order: before, customer } = await lockSale(tx, companyId, ref)
  const plan = planRefund(before, input)
  const { keys, takePartId } = await takeIds(tx, REFUNDS, 1, plan.given.length + 1)
  const refund: RefundState = {
    company_id: companyId,
    id: keys[0]!,
    order_id: before.id,
    note: input.note ?? null,
    restock: input.restock ?? false,
    amount_cents: plan.cents,
    home_cents: plan.homeCents,
    lines: plan.given.map(({ line, quantity, cents }) => ({
      id: takePartId(),
      line_item_id: line.id,
      quantity,
      cents,
    })),
    transaction_id: takePartId(),
    source_name: 'api',
    created_at: now,
  }
  const after = refundOrder(before, refund, plan, now)
  if (refund.restock) await returnGoods(tx, plan.given, now)
  await tx
    .insertInto('refunds')
    .values({ ...refund, lines: JSON.stringify(refund.lines) })
    .execute()
  await saveOrder(tx, after)
  await saveLines(tx, after)
  await recount(tx, before, after, now)
  await refreshFulfillment(tx, after, now)
  await bookBack(tx, before, plan.given, { kind: 'refund', refundId: refund.id }, now)
  if (customer !== undefined && isCounted(customer.own, before)) await noteRefund(tx, customer, refund, now)
  await tellOfRefund(tx, after, refund.id, now)
  return asciiJson(presentRefund(refund, after))
}

/** What is paid back was not spent. The order still counts as one. */
async function noteRefund(tx: Tx, { account, own }: OwnCustomer, refund: RefundState, now: Date): Promise<void> {
  await saveRelations(tx, account, [{ ...own, total_spent: own.total_spent - refund.home_cents, updated_at: now }])
}
