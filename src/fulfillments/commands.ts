import type { OrderState } from '#orders/state.ts'
import type { Tx } from '#platform/db/database.ts'
import { asciiJson } from '#platform/wire.ts'
import type { ShippingMethodState } from '#shipping-methods/state.ts'
import { presentFulfillment } from './present.ts'
import { readFulfillments } from './queries.ts'
import { newFulfillment } from './rules.ts'
import type { FulfillmentState } from './state.ts'

/** Notes that the goods of an order are to be shipped. */
export async function openFulfillment(
  tx: Tx,
  order: OrderState,
  method: ShippingMethodState | undefined,
): Promise<void> {
  await tx
    .insertInto('fulfillments')
    .values(columns(newFulfillment(order, method)))
    .execute()
}

/** Sends what is to be shipped somewhere else. An order without goods has nothing to ship. */
export async function redirectFulfillment(tx: Tx, order: OrderState, now: Date): Promise<void> {
  const [fulfillment] = await readFulfillments(tx, order.company_id, [order])
  if (fulfillment !== undefined) await saveFulfillment(tx, { ...fulfillment, updated_at: now })
}

/** A cancelled order has nothing to ship any more. */
export async function closeFulfillment(tx: Tx, order: OrderState, now: Date): Promise<void> {
  const [fulfillment] = await readFulfillments(tx, order.company_id, [order])
  if (fulfillment !== undefined) await saveFulfillment(tx, { ...fulfillment, cancelled: true, updated_at: now })
}

/** Writes a fulfillment as it is now and answers its document. */
export async function saveFulfillment(tx: Tx, fulfillment: FulfillmentState): Promise<string> {
  const row = columns(fulfillment)
  await tx
    .updateTable('fulfillments')
    .set(row)
    .where('company_id', '=', fulfillment.company_id)
    .where('id', '=', fulfillment.id)
    .execute()
  return row.document
}

function columns(fulfillment: FulfillmentState) {
  const { customer_token: _token, shipping_address: _address, lines: _lines, ...row } = fulfillment
  return { ...row, document: asciiJson(presentFulfillment(fulfillment)) }
}
