import { sql } from 'kysely'
import { saveTitles } from '#catalog/products/sale/titles.commands.ts'
import type { Tx } from '#platform/db/database.ts'
import { documentOf } from './rows.commands.ts'
import { storedStatus } from './rules.ts'
import type { OrderState } from './state.ts'

/** All rows are one JSON parameter, however many they are; PostgreSQL reads them by the columns of the table. */
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
 * Adds orders with their lines and refunds, with one statement per table. This is for bulk inserts: it sends nothing to
 * webhooks and customers, leaves stock alone and counts nothing.
 */
export async function insertOrders(tx: Tx, companyId: number, orders: readonly OrderState[]): Promise<void> {
  const rows = orders.map((order) => {
    const { lines: _lines, refunds: _refunds, shipments: _shipments, ...row } = order
    return { ...row, fulfillment_status: storedStatus(row), document: documentOf(order) }
  })
  const lines = orders.flatMap((order) => order.lines)
  await Promise.all([
    insertAll(tx, companyId, 'orders', rows),
    insertAll(tx, companyId, 'order_lines', lines),
    saveTitles(tx, companyId, lines),
    insertAll(
      tx,
      companyId,
      'refunds',
      orders.flatMap(({ refunds }) => refunds),
    ),
  ])
}
