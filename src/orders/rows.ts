import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { runPrepared } from '#platform/db/prepared.ts'
import { asciiJson } from '#platform/wire.ts'
import { presentOrder } from './present.ts'
import type { RefundState } from './refunds/state.ts'
import type { OrderState } from './state.ts'

/** How orders are kept: a row each with its document, and rows of their lines. */

function columns({ lines: _lines, refunds: _refunds, shipments: _shipments, ...row }: OrderState) {
  return {
    ...row,
    visit: JSON.stringify(row.visit),
    tax_lines: JSON.stringify(row.tax_lines),
    discount_codes: JSON.stringify(row.discount_codes),
    shipping_lines: JSON.stringify(row.shipping_lines),
    shipping_address: row.shipping_address === null ? null : JSON.stringify(row.shipping_address),
  }
}

export function documentOf(order: OrderState): string {
  return asciiJson(presentOrder(order))
}

/** Adds an order with its lines and answers its document. The statement is as long as the table is wide, so it is built once. */
export async function insertOrder(tx: Tx, order: OrderState): Promise<string> {
  const document = documentOf(order)
  const row = { ...columns(order), document }
  const names = Object.keys(row)
  await Promise.all([
    runPrepared(tx, 'insert order', Object.values(row), (...standIns) => {
      const values = Object.fromEntries(names.map((name, index) => [name, standIns[index]])) as never
      return tx.insertInto('orders').values(values).compile()
    }),
    runPrepared(tx, 'insert order lines', [JSON.stringify(order.lines)], (lines) =>
      sql`insert into order_lines
        select * from json_populate_recordset(null::order_lines, ${lines}::json)`.compile(tx),
    ),
  ])
  return document
}

/** Writes an order's own row as it is now and answers its document. */
export async function saveOrder(tx: Tx, order: OrderState): Promise<string> {
  const document = documentOf(order)
  await tx
    .updateTable('orders')
    .set({ ...columns(order), document })
    .where('company_id', '=', order.company_id)
    .where('id', '=', order.id)
    .execute()
  return document
}

export async function insertRefund(tx: Tx, refund: RefundState): Promise<void> {
  await tx
    .insertInto('refunds')
    .values({ ...refund, lines: JSON.stringify(refund.lines) })
    .execute()
}

/** Writes what refunds, cancellation and stock have changed of an order's lines. */
export async function saveLines(tx: Tx, { company_id, lines }: OrderState): Promise<void> {
  await sql`update order_lines set stock_taken = fresh.stock_taken, refunded_quantity = fresh.refunded_quantity,
      refunded_cents = fresh.refunded_cents
    from json_populate_recordset(null::order_lines, ${JSON.stringify(lines)}::json) as fresh
    where order_lines.company_id = ${company_id} and order_lines.id = fresh.id`.execute(tx)
}
