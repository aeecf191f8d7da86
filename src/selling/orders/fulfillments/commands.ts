import { sql } from 'kysely'
import { recordChange } from '#history/audit/commands.ts'
import { adjustCounter, adjustCounters, setCounter } from '#platform/db/counters.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { prepareInsert } from '#platform/db/writes.ts'
import type { Author } from '#platform/identity/caller.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { readShippingMethods } from '#selling/shipping-methods/queries.ts'
import type { ShippingMethodState } from '#selling/shipping-methods/state.ts'
import { lockOrders, ORDERS } from '../queries.ts'
import { orderName } from '../rules.ts'
import type { OrderState } from '../state.ts'
import { fulfillmentNotFound } from './errors.ts'
import { presentFulfillment } from './present.ts'
import { FULFILLMENTS, getFulfillmentOwner, readFulfillments } from './queries.ts'
import { changeFulfillment, followOrder, newFulfillment, seenBy, shipmentOf } from './rules.ts'
import type { FulfillmentInput } from './schema.ts'
import { noteShipment } from './ship.commands.ts'
import type { FulfillmentState } from './state.ts'

const insertRow = prepareInsert('fulfillments', {
  cancelled: true,
  company_id: true,
  created_at: true,
  document: true,
  entry_id: true,
  id: true,
  partner_id: true,
  shipped_at: true,
  shipped_lines: true,
  status: true,
  tracking_company: true,
  tracking_number: true,
  tracking_template: true,
  updated_at: true,
})

/** Opens the fulfillment of an order that has goods to ship. */
export async function openFulfillment(
  tx: Tx,
  order: OrderState,
  method: ShippingMethodState | undefined,
): Promise<void> {
  if (!order.lines.some(({ kind }) => kind === 'physical')) return
  const fulfillment = newFulfillment(order, method)
  await Promise.all([
    insertRow(tx, columns(fulfillment)),
    fulfillment.cancelled ? undefined : count(tx, fulfillment, 1),
  ])
}

/** Shows the fulfillment of an order that its customer has paid through a gateway. */
export async function showFulfillment(tx: Tx, order: OrderState, now: Date): Promise<void> {
  const [before] = await readFulfillments(tx, order.company_id, [order])
  if (before === undefined) return
  const after = { ...before, cancelled: false, updated_at: now }
  await Promise.all([saveFulfillment(tx, after), count(tx, after, 1)])
}

/** Adds many fulfillments with one statement, for bulk inserts. They are counted once all of them are stored. */
export async function insertFulfillments(
  tx: Tx,
  companyId: number,
  fulfillments: readonly FulfillmentState[],
): Promise<void> {
  if (fulfillments.length === 0) return
  const rows = fulfillments.map((fulfillment) => ({
    ...columns(fulfillment),
    shipped_lines: fulfillment.shipped_lines,
  }))
  await sql`insert into fulfillments
    select * from json_populate_recordset(null::fulfillments, ${JSON.stringify(rows)}::json)
    where company_id = ${companyId}`.execute(tx)
}

/** Counts how many fulfillments each company sees, for many at once. */
export async function countAllIn(tx: Tx, seen: ReadonlyMap<number, number>): Promise<void> {
  for (const [companyId, amount] of [...seen].sort(([one], [other]) => one - other))
    await adjustCounter(tx, companyId, FULFILLMENTS, amount)
}

/** Locks the order of a fulfillment until the transaction ends. */
export async function lockFulfillment(tx: Tx, companyId: number, ref: string): Promise<void> {
  await lockOrders(tx, await getFulfillmentOwner(tx, companyId, ref), [Number(ref)])
}

/**
 * Changes a fulfillment of the caller, or of a company for which the caller ships. The order stays locked, so that it
 * is shipped once, and not after it was cancelled.
 */
export async function updateFulfillment(
  tx: Tx,
  author: Author,
  ref: string,
  input: FulfillmentInput,
  now: Date,
): Promise<Written<FulfillmentState>> {
  const [ownerId, ids] = await Promise.all([getFulfillmentOwner(tx, author.companyId, ref), takeIds(tx, ORDERS, 0, 1)])
  const [order] = await lockOrders(tx, ownerId, [Number(ref)])
  const [before] = order === undefined ? [] : await readFulfillments(tx, ownerId, [order])
  if (order === undefined || before === undefined || before.cancelled) throw fulfillmentNotFound(ref)
  const methods = input.tracking_company === undefined ? [] : await readShippingMethods(tx, ownerId)
  const templateOf = (carrier: string) =>
    methods.find((each) => each.tracking_company.toLowerCase() === carrier.toLowerCase())?.tracking_url ?? ''
  const after = changeFulfillment(before, input, { now, takeId: ids.takePartId, templateOf })
  const shipment = shipmentOf(after)
  if (after.status !== before.status && shipment !== undefined) {
    await noteShipment(tx, order, shipment, now)
    await recordChange(tx, author, 'order shipped', orderName(order.id), now)
  }
  return saveFulfillment(tx, after)
}

/** Updates the fulfillment after its order changed (address, refund, cancellation). Many orders have no fulfillment. */
export async function refreshFulfillment(tx: Tx, order: OrderState, now: Date): Promise<void> {
  const [before] = await readFulfillments(tx, order.company_id, [order])
  if (before === undefined) return
  const after = followOrder(before, order, now)
  await saveFulfillment(tx, after)
  if (after.cancelled && !before.cancelled) await count(tx, after, -1)
}

/** Writes the documents of orders' fulfillments again. */
export async function rewriteFulfillments(tx: Tx, companyId: number, orders: readonly OrderState[]): Promise<void> {
  for (const fulfillment of await readFulfillments(tx, companyId, orders)) await saveFulfillment(tx, fulfillment)
}

/** Counts a fulfillment for the companies that see it, or no longer do (-1). */
function count(tx: Tx, fulfillment: FulfillmentState, by: 1 | -1): Promise<void> {
  return adjustCounters(tx, seenBy(fulfillment), FULFILLMENTS, by)
}

/** Recounts the fulfillments that a company sees, while none is added or changed. */
export async function resetFulfillmentCount(tx: Tx, companyId: number): Promise<void> {
  await sql`lock table fulfillments in share row exclusive mode`.execute(tx)
  const { rows } = await sql<{ count: number }>`select
      (select count(*) from fulfillments where company_id = ${companyId} and not cancelled)
      + (select count(*) from fulfillments where partner_id = ${companyId} and not cancelled) as count`.execute(tx)
  await setCounter(tx, companyId, FULFILLMENTS, rows[0]?.count ?? 0)
}

async function saveFulfillment(tx: Tx, fulfillment: FulfillmentState): Promise<Written<FulfillmentState>> {
  const row = columns(fulfillment)
  await tx
    .updateTable('fulfillments')
    .set(row)
    .where('company_id', '=', fulfillment.company_id)
    .where('id', '=', fulfillment.id)
    .execute()
  return { state: fulfillment, document: row.document }
}

function columns(fulfillment: FulfillmentState) {
  const { customer_token: _token, shipping_address: _address, lines: _lines, ...row } = fulfillment
  return {
    ...row,
    shipped_lines: row.shipped_lines === null ? null : JSON.stringify(row.shipped_lines),
    document: asciiJson(presentFulfillment(fulfillment)),
  }
}
