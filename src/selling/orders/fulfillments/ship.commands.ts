import type { Tx } from '#platform/db/database.ts'
import { recount } from '../counts/commands.ts'
import { tellOfShipment } from '../mails/commands.ts'
import { saveOrder } from '../rows.commands.ts'
import { fulfillmentStatus } from '../rules.ts'
import type { OrderState, Shipment } from '../state.ts'

/** Marks the goods of a locked order as shipped and sends the customer a mail. */
export async function noteShipment(tx: Tx, before: OrderState, shipment: Shipment, now: Date): Promise<void> {
  const after = {
    ...before,
    fulfillment_status: fulfillmentStatus({ ...before, isShipped: true }),
    shipments: [shipment],
    updated_at: now,
  }
  await saveOrder(tx, after)
  await recount(tx, before, after)
  await tellOfShipment(tx, after, now)
}
