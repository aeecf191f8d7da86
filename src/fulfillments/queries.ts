import { sql } from 'kysely'
import type { OrderState, Shipment } from '#orders/state.ts'
import type { Db } from '#platform/db/database.ts'
import { linesToShip } from './rules.ts'
import type { FulfillmentState } from './state.ts'

/** Every read of fulfillments for their owner starts here, so none can forget the company. */
function fulfillmentsOf(db: Db, companyId: number) {
  return db.selectFrom('fulfillments').where('fulfillments.company_id', '=', companyId)
}

/** What is to be shipped for orders, with what it shows of them; those without goods are left out. */
export async function readFulfillments(
  db: Db,
  companyId: number,
  orders: readonly OrderState[],
): Promise<FulfillmentState[]> {
  const byId = new Map(orders.map((order) => [order.id, order]))
  const rows = await fulfillmentsOf(db, companyId)
    .selectAll()
    .where('fulfillments.id', '=', sql<number>`any(${[...byId.keys()]}::bigint[])`)
    .orderBy('fulfillments.id')
    .execute()
  return rows.map(({ document: _document, ...row }) => {
    const order = byId.get(row.id)!
    return {
      ...row,
      customer_token: order.customer_token,
      shipping_address: order.shipping_address,
      lines: linesToShip(order),
    }
  })
}

/** What of orders was shipped, by the id of the order. */
export async function readShipments(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, Shipment[]>> {
  const rows = await fulfillmentsOf(db, companyId)
    .select(['fulfillments.id', 'fulfillments.entry_id', 'fulfillments.shipped_at'])
    .where('fulfillments.id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
  return new Map(
    rows.map(({ id, entry_id, shipped_at }) => [
      id,
      entry_id === null || shipped_at === null ? [] : [{ id: entry_id, created_at: shipped_at }],
    ]),
  )
}
