import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Ledger } from './ledger.ts'
import { type Ask, type BusyShop, STOCK } from './shop.ts'

const PATIENCE_MS = 300_000

/** Waits until the workers have done everything that the load has left them. */
export async function untilDrained(db: Db): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const { rows } = await sql<{ left: number }>`select (select count(*) from events where position is null)
      + (select count(*) from jobs where failed_at is null and due_at < now() + interval '1 minute') as left`.execute(
      db,
    )
    if (rows[0]?.left === 0) return
    if (performance.now() > deadline) throw new Error(`${rows[0]?.left} events and jobs are still to be done`)
    await sleep(200)
  }
}

export type Mistake = { what: string; found: unknown; expected: unknown }

/** Compares what is stored with the ledger. What the ledger does not know for sure must be there once or not at all. */
export async function compare(db: Db, shop: BusyShop, ledger: Ledger, ask: Ask): Promise<Mistake[]> {
  const { companyId } = shop
  const mistakes: Mistake[] = []
  const equal = (what: string, found: unknown, expected: unknown) => {
    if (JSON.stringify(found) !== JSON.stringify(expected)) mistakes.push({ what, found, expected })
  }
  const number = async (query: RawBuilder<{ n: number }>) => (await query.execute(db)).rows[0]?.n ?? 0

  const { rows } = await sql<{
    id: number
    test: boolean
    mark: string
    lines: number
    entitlements: number
    events: number
    paid: number
    invoices: number
  }>`
    select orders.id, orders.test, case when po_number like 'load-%' or po_number like 'first-%' then po_number else orders.email end as mark,
      (select count(*) from order_lines as line where line.company_id = orders.company_id and line.order_id = orders.id
        and line.product_type <> 6) as lines,
      (select count(*) from entitlements as owned where owned.company_id = orders.company_id
        and owned.order_id = orders.id) as entitlements,
      (select count(*) from events where events.company_id = orders.company_id and topic = 'order/create'
        and data ->> 'id' = orders.id::text) as events,
      (select count(*) from payments as payment where payment.company_id = orders.company_id
        and payment.order_id = orders.id and payment.status = 'paid') as paid,
      (select count(*) from invoices as invoice where invoice.company_id = orders.company_id
        and invoice.order_id = orders.id and kind = 'invoice') as invoices
    from orders where orders.company_id = ${companyId}`.execute(db)
  const stored = Map.groupBy(rows, ({ mark }) => mark)
  const asked = new Set(ledger.orders.map(({ mark }) => mark))
  for (const { mark, way, fate } of ledger.orders) {
    const found = stored.get(mark) ?? []
    if (fate === 'done') equal(`order ${mark}, which was answered with success`, found.length, 1)
    if (fate === 'refused') equal(`order ${mark}, which was refused`, found.length, 0)
    if (fate === 'unknown' && found.length > 1) equal(`order ${mark}, which had no answer`, found.length, 1)
    for (const order of found) {
      equal(`entitlements of ${mark}`, order.entitlements, order.lines)
      equal(`events of ${mark}`, order.events, 1)
      if (way === 'checkout') equal(`payments of ${mark}`, order.paid, 1)
      // What was paid with a test card has none.
      if (order.invoices > 1) equal(`invoices of ${mark}`, order.invoices, 1)
    }
  }
  for (const mark of stored.keys())
    if (!asked.has(mark) && !mark.startsWith('first-')) equal(`order ${mark}, which nobody asked for`, 1, 0)

  const pieces = ledger.orders.filter(({ mark }) => stored.has(mark)).reduce((sum, order) => sum + order.pieces, 0)
  const stock = sql<{ n: number }>`select items_in_stock as n from products
    where company_id = ${companyId} and id = ${shop.goods.id}`
  equal('stock', await number(stock), STOCK - pieces)
  const series = await sql<{ n: number; first: number; last: number }>`select count(*) as n,
    coalesce(min(sequence_number), 0) as first, coalesce(max(sequence_number), 0) as last from invoices
    where company_id = ${companyId} and kind = 'invoice'`.execute(db)
  const { n = 0, first = 0, last = 0 } = series.rows[0] ?? {}
  equal('numbers of invoices, one after the other', last - first + Math.min(1, n), n)
  equal('the count of orders', (await ask('GET', '/api/orders/count.json')).body.count, rows.length)
  const uses = await number(sql<{ n: number }>`select count(*) as n from entitlement_uses
    where company_id = ${companyId} and kind = 'use'`)
  const { done, unknown } = ledger.uses
  if (uses < done || uses > done + unknown) equal('uses', uses, `${done} to ${done + unknown}`)
  const ofCustomers = await number(sql<{ n: number }>`select coalesce(sum(orders_count), 0) as n from customer_relations
    where company_id = ${companyId}`)
  equal('orders in the numbers of customers', ofCustomers, rows.filter(({ test }) => !test).length)
  return mistakes
}
