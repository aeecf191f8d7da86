import type { Tx } from '#platform/db/database.ts'
import { saveOrder } from './rows.commands.ts'
import type { OrderState } from './state.ts'

/** Gives an order the number of its invoice. Lock the order first. */
export async function setOrderNumber(tx: Tx, order: OrderState, number: string, now: Date): Promise<void> {
  await saveOrder(tx, { ...order, order_number: number, updated_at: now })
}
