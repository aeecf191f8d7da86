import type { Tx } from '#platform/db/database.ts'
import { cancelOrder } from '#selling/orders/cancel.commands.ts'
import type { OrderState } from '#selling/orders/state.ts'
import { changeCart } from '../commands.ts'
import { lockCarts } from '../queries.ts'
import { cartOfOrder, withLine } from '../rules.ts'
import type { Shopper } from '../state.ts'

/** Turns an order that was never paid into a cart again. What was put into the cart meanwhile stays there. */
export async function reopenCart(tx: Tx, shopper: Shopper, order: OrderState, now: Date): Promise<void> {
  // A purchase locks the cart before the order, too.
  await lockCarts(tx, shopper)
  await cancelOrder(tx, shopper, String(order.id), now)
  const before = cartOfOrder(order)
  await changeCart(
    tx,
    shopper,
    ({ lines, discount_code }) => ({
      lines: lines.reduce((all, line) => withLine(all, line, false), before.lines),
      discount_code: discount_code || before.discount_code,
      details: before.details,
    }),
    now,
  )
}
