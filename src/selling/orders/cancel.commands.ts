import { recordChange } from '#history/audit/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Author } from '#platform/identity/caller.ts'
import { lockSale } from './queries.ts'
import { isShipped, orderName } from './rules.ts'
import { takeBack } from './sale/effects.commands.ts'
import { followSubscription } from './settle.commands.ts'

/** Cancels what is left of an order. Goods that were not shipped go back into stock. Cancelling twice changes nothing. */
export async function cancelOrder(tx: Tx, author: Author, ref: string, now: Date): Promise<void> {
  const { order: before, customer } = await lockSale(tx, author.companyId, ref)
  if (before.cancelled_at !== null) return
  const after = { ...before, cancelled_at: now, updated_at: now }
  const lines = before.lines.map((line) => ({ line, quantity: line.quantity - line.refunded_quantity }))
  const reason = { kind: 'cancellation' } as const
  await takeBack(tx, { before, after, customer, lines, restock: !isShipped(before), reason }, now)
  await followSubscription(tx, before, now)
  await recordChange(tx, author, 'order cancelled', orderName(before.id), now)
}
