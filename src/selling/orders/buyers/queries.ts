import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { condition, type Row } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
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

const unpaidOf = prepare((tx: Tx, companyId: number, customerId: number, isGuest: boolean) =>
  ordersOf(tx, companyId)
    .select([
      sql<number>`count(*)`.as('orders'),
      // Each part of a collection is a piece, and has its row as soon as a bill is written.
      sql<number>`coalesce(sum((select greatest(sum(line.quantity),
          coalesce(sum(line.quantity) filter (where line.kind = 'physical'), 0) + (select count(*) from entitlements as piece
            where piece.company_id = orders.company_id and piece.order_id = orders.id))
        from order_lines as line
        where line.company_id = orders.company_id and line.order_id = orders.id)), 0)::float8`.as('pieces'),
    ])
    .where('orders.customer_id', '=', customerId)
    .where('orders.financial_status', '=', sql.lit('pending'))
    .where('orders.cancelled_at', 'is', null)
    .where(condition`(${isGuest}::boolean or orders.visit ->> 'is_guest' is null)`)
    .compile(),
)

/**
 * The orders of a customer that wait for their payment, and how many pieces they have. For somebody who is signed in, those
 * that guests have placed do not count: anybody could keep a customer from ordering. Lock the customer first.
 */
export async function countUnpaid(
  tx: Tx,
  companyId: number,
  customerId: number,
  isGuest: boolean,
): Promise<{ orders: number; pieces: number }> {
  const [row] = await unpaidOf(tx, companyId, customerId, isGuest)
  return row ?? { orders: 0, pieces: 0 }
}

/** Has somebody with this address ordered from a company since a time? */
export async function hasOrderedSince(db: Db, companyId: number, email: string, since: Date): Promise<boolean> {
  const found = await ordersOf(db, companyId)
    .innerJoin('customers', 'customers.token', 'orders.customer_token')
    .select('orders.id')
    .where(sql<Row<'orders'>['document']>`lower(customers.email)`, '=', email.toLowerCase())
    .where('orders.created_at', '>=', since)
    .where('orders.cancelled_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
