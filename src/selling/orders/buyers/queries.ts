import type { Db } from '#platform/db/database.ts'
import { ordersOf } from '../queries.ts'

/** The ids of a customer's orders from the company, latest first, beginning before one of them. */
export async function readLatestOrderIds(
  db: Db,
  companyId: number,
  customerToken: string,
  { before, limit }: { before: number; limit: number },
): Promise<number[]> {
  const rows = await ordersOf(db, companyId)
    .select('orders.id')
    .where('orders.customer_token', '=', customerToken)
    .where('orders.id', '<', before)
    .orderBy('orders.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** The latest order that counts since the company added the customer; 0 if there is none. */
export async function findLastOrderId(db: Db, companyId: number, customerToken: string, since: Date): Promise<number> {
  const row = await ordersOf(db, companyId)
    .select('orders.id')
    .where('orders.customer_token', '=', customerToken)
    .where('orders.cancelled_at', 'is', null)
    .where('orders.test', '=', false)
    .where('orders.created_at', '>=', since)
    .orderBy('orders.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? 0
}
