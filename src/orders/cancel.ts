import type { OwnCustomer } from '#customers/queries.ts'
import { saveRelations } from '#customers/relations.ts'
import { countUses } from '#discount-codes/commands.ts'
import type { Caller } from '#platform/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { isCounted } from './buyers/rules.ts'
import { refreshFulfillment } from './fulfillments/commands.ts'
import { returnGoods } from './goods.ts'
import { goodsBack } from './lines/rules.ts'
import { orderName } from './present.ts'
import { findLastOrderId, lockSale } from './queries.ts'
import { saveLines, saveOrder } from './rows.ts'
import { isShipped } from './rules.ts'
import { bookBack } from './shares.ts'
import type { OrderState } from './state.ts'

/**
 * Makes an order void: goods that were not shipped go back into their stock, shares are booked back, and it no longer
 * counts for the customer. What is void already stays so.
 */
export async function cancelOrder(
  tx: Tx,
  { companyId }: Pick<Caller, 'companyId'>,
  ref: string,
  now: Date,
): Promise<void> {
  const { order, customer } = await lockSale(tx, companyId, ref)
  if (order.cancelled_at !== null) return
  await voidOrder(tx, order, now)
  if (order.test) return
  const codes = order.discount_codes.map(({ id }) => id)
  await countUses(tx, companyId, codes, -1)
  if (customer !== undefined && isCounted(customer.own, order)) await forgetSale(tx, customer, order, now)
}

async function voidOrder(tx: Tx, before: OrderState, now: Date): Promise<void> {
  const rest = before.lines.map((line) => ({ line, quantity: line.quantity - line.refunded_quantity }))
  const returns = isShipped(before) ? [] : rest
  await returnGoods(tx, returns, now)
  const backOf = new Map(returns.map(({ line, quantity }) => [line.id, goodsBack(line, quantity)]))
  const lines = before.lines.map((line) => ({
    ...line,
    stock_taken: line.stock_taken - (backOf.get(line.id) ?? 0),
  }))
  const after = { ...before, lines, cancelled_at: now, updated_at: now }
  await saveOrder(tx, after)
  await saveLines(tx, after)
  await refreshFulfillment(tx, after, now)
  await bookBack(tx, before, rest, { kind: 'cancellation', refundId: null }, now)
}

/** Takes an order out of what the company knows of the customer. */
async function forgetSale(tx: Tx, { account, own }: OwnCustomer, order: OrderState, now: Date): Promise<void> {
  const lastId = await findLastOrderId(tx, order.company_id, order.customer_token, own.created_at)
  await saveRelations(tx, account, [
    {
      ...own,
      orders_count: Math.max(0, own.orders_count - 1),
      total_spent: own.total_spent - (order.home_cents - order.home_refunded_cents),
      last_order_id: lastId,
      last_order_name: lastId === 0 ? '' : orderName(lastId),
      updated_at: now,
    },
  ])
}
