import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { FakeMollie } from '#test/mollie.ts'
import type { Ledger } from './ledger.ts'
import type { Ask, BusyShop, Stocked } from './shop.ts'

const PATIENCE_MS = 300_000

/** Waits until the workers have done everything that the load has left them. */
export async function untilDrained(db: Db): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const { rows } = await sql<{ left: number }>`select (select count(*) from events where position is null)
      + (select count(*) from jobs where failed_at is null
        and (leased_until is not null or due_at < now() + interval '1 minute')) as left`.execute(db)
    if (rows[0]?.left === 0) return
    if (performance.now() > deadline) throw new Error(`${rows[0]?.left} events and jobs are still to be done`)
    await sleep(200)
  }
}

export type Mistake = { what: string; found: unknown; expected: unknown }

/** An order as it is stored, with what belongs to it. */
type Stored = {
  id: number
  mark: string
  isPaid: boolean
  isCancelled: boolean
  lines: number
  entitlements: number
  events: number
  invoices: number
  /** What the gateway calls the payments that are stored as paid. */
  charges: string[]
  flags: string[]
}

/** The ledger of the load, and that of the gateway. */
export type Ledgers = { ledger: Ledger; mollie: Pick<FakeMollie, 'payments'> }

/** Compares what is stored with the ledgers. What they do not know for sure must be there once or not at all. */
export async function compare(db: Db, shop: BusyShop, ledgers: Ledgers, ask: Ask): Promise<Mistake[]> {
  const mistakes: Mistake[] = []
  const equal = (what: string, found: unknown, expected: unknown) => {
    if (JSON.stringify(found) !== JSON.stringify(expected)) mistakes.push({ what, found, expected })
  }
  const rows = await readOrders(db, shop.companyId)
  const stored = Map.groupBy(rows, ({ mark }) => mark)
  compareOrders(stored, ledgers.ledger, equal)
  compareCharges(rows, ledgers.mollie, equal)
  for (const [name, item] of [['stock', shop.goods] as const, ['stock of the rare thing', shop.rare] as const])
    await compareStock(db, shop.companyId, { name, item }, { stored, ledger: ledgers.ledger }, equal)
  await compareCounts(db, shop.companyId, ledgers.ledger, equal)
  equal('the count of orders', (await ask('GET', '/api/orders/count.json')).body.count, rows.length)
  return mistakes
}

type Equal = (what: string, found: unknown, expected: unknown) => void

async function readOrders(db: Db, companyId: number): Promise<Stored[]> {
  // Events are counted first: there is no index of what they are about, and very many of both.
  const { rows } = await sql<Stored>`with created as materialized (
      select data ->> 'id' as id, count(*) as events from events
      where company_id = ${companyId} and topic = 'order/create' group by data ->> 'id')
    select orders.id, case when po_number like 'load-%' or po_number like 'first-%' then po_number else orders.email end as mark,
      financial_status = 'paid' as "isPaid", cancelled_at is not null as "isCancelled",
      (select count(*) from order_lines as line where line.company_id = orders.company_id and line.order_id = orders.id
        and line.product_type <> 6) as lines,
      (select count(*) from entitlements as owned where owned.company_id = orders.company_id
        and owned.order_id = orders.id and not on_hold and revoked_at is null) as entitlements,
      coalesce(created.events, 0) as events,
      (select count(*) from invoices as invoice where invoice.company_id = orders.company_id
        and invoice.order_id = orders.id and kind = 'invoice') as invoices,
      array(select reference from payments as payment where payment.company_id = orders.company_id
        and payment.order_id = orders.id and payment.status = 'paid') as charges,
      array(select unnest(flags) from payments as payment where payment.company_id = orders.company_id
        and payment.order_id = orders.id) as flags
    from orders left join created on created.id = orders.id::text
    where orders.company_id = ${companyId}`.execute(db)
  return rows
}

function compareOrders(stored: Map<string, Stored[]>, { orders }: Ledger, equal: Equal): void {
  const asked = new Set(orders.map(({ mark }) => mark))
  for (const { mark, way, fate, charge } of orders) {
    const found = stored.get(mark) ?? []
    if (fate === 'done') equal(`order ${mark}, which was answered with success`, found.length, 1)
    if (fate === 'refused') equal(`order ${mark}, which was refused`, found.length, 0)
    if (fate === 'unknown' && found.length > 1) equal(`order ${mark}, which had no answer`, found.length, 1)
    for (const order of found) {
      const isSold = order.isPaid && !order.isCancelled
      equal(`events of ${mark}`, order.events, isSold ? 1 : 0)
      equal(`entitlements of ${mark}`, order.entitlements, isSold ? order.lines : 0)
      if (way === 'api') continue
      equal(`payments of ${mark}`, order.charges, charge === undefined ? [] : [charge])
      equal(`whether ${mark} is paid`, order.isPaid, charge !== undefined)
      equal(`invoices of ${mark}`, order.invoices, isSold ? 1 : 0)
      // Money for an order that was given up is shown to the owner, who returns it.
      equal(`flags of ${mark}`, order.flags, order.isPaid && order.isCancelled ? ['order_cancelled'] : [])
    }
  }
  for (const mark of stored.keys())
    if (!asked.has(mark) && !mark.startsWith('first-')) equal(`order ${mark}, which nobody asked for`, 1, 0)
}

/** What the gateway has charged is stored, once, and nothing else is. */
function compareCharges(rows: readonly Stored[], { payments }: Ledgers['mollie'], equal: Equal): void {
  const charged = [...payments.values()].filter(({ status }) => status === 'paid').map(({ id }) => id)
  equal('charges at the gateway', rows.flatMap(({ charges }) => charges).toSorted(), charged.toSorted())
}

async function compareStock(
  db: Db,
  companyId: number,
  { name, item }: { name: string; item: Stocked },
  { stored, ledger }: { stored: Map<string, Stored[]>; ledger: Ledger },
  equal: Equal,
): Promise<void> {
  const isSold = (mark: string) => stored.get(mark)?.some(({ isCancelled }) => !isCancelled) === true
  const orders = ledger.orders.filter(({ product_id }) => product_id === item.product_id)
  const sold = orders.filter(({ mark }) => isSold(mark)).reduce((sum, { pieces }) => sum + pieces, 0)
  const { rows } = await sql<{ left: number }>`select items_in_stock as left from products
    where company_id = ${companyId} and id = ${item.id}`.execute(db)
  const left = rows[0]?.left ?? Number.NaN
  equal(name, left, item.stock - sold)
  if (left < 0) equal(`${name}: more was sold than there is`, left, 0)
}

/** Numbers that are kept beside the rows that they count. */
async function compareCounts(db: Db, companyId: number, { uses }: Ledger, equal: Equal): Promise<void> {
  const number = async (query: RawBuilder<{ n: number }>) => (await query.execute(db)).rows[0]?.n ?? 0
  const series = await sql<{ n: number; last: number }>`select count(distinct sequence_number) as n,
    coalesce(max(sequence_number), 0) as last from invoices
    where company_id = ${companyId} and kind = 'invoice'`.execute(db)
  equal('numbers of invoices, one after the other from 1', series.rows[0]?.n, series.rows[0]?.last)
  const used = await number(sql<{ n: number }>`select count(*) as n from entitlement_uses
    where company_id = ${companyId} and kind = 'use'`)
  if (used < uses.done || used > uses.done + uses.unknown)
    equal('uses', used, `${uses.done} to ${uses.done + uses.unknown}`)
  const ofCustomers = await number(sql<{ n: number }>`select coalesce(sum(orders_count), 0) as n from customer_relations
    where company_id = ${companyId}`)
  const real = await number(sql<{ n: number }>`select count(*) as n from orders
    where company_id = ${companyId} and not test and cancelled_at is null`)
  equal('orders in the numbers of customers', ofCustomers, real)
}
