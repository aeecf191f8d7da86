import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { documentOf } from './rows.ts'
import type { OrderState } from './state.ts'

/** One parameter for any number of rows: PostgreSQL takes them out of a JSON text by the table's own columns. */
async function insertAll(
  tx: Tx,
  companyId: number,
  table: 'orders' | 'order_lines' | 'refunds',
  rows: object[],
): Promise<void> {
  if (rows.length === 0) return
  const name = sql.table(table)
  await sql`insert into ${name}
    select * from json_populate_recordset(null::${name}, ${JSON.stringify(rows)}::json)
    where company_id = ${companyId}`.execute(tx)
}

/**
 * Adds orders with their lines and refunds, with one statement a table. For filling a shop: it says nothing to webhooks
 * and customers, takes nothing out of stocks, and counts nothing, because a count is held until the transaction ends.
 */
export async function insertOrders(tx: Tx, companyId: number, orders: readonly OrderState[]): Promise<void> {
  const rows = orders.map((order) => {
    const { lines: _lines, refunds: _refunds, shipments: _shipments, ...row } = order
    return { ...row, document: documentOf(order) }
  })
  await Promise.all([
    insertAll(tx, companyId, 'orders', rows),
    insertAll(
      tx,
      companyId,
      'order_lines',
      orders.flatMap(({ lines }) => lines),
    ),
    insertAll(
      tx,
      companyId,
      'refunds',
      orders.flatMap(({ refunds }) => refunds),
    ),
  ])
}
