import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { prepareWrite } from '#platform/db/writes.ts'
import { storedStatus } from '../rules.ts'
import type { OrderRow } from '../state.ts'
import { type DayCount, dayOf } from './rules.ts'

/** This many writers of one company can count at the same time. */
const SLOTS = 8

/** Any slot will do, so it need not be unguessable, which costs fifty times as much. */
const randomSlot = () => Math.floor(Math.random() * SLOTS)

export type CountedOrder = Pick<
  OrderRow,
  'company_id' | 'id' | 'created_at' | 'financial_status' | 'fulfillment_status' | 'cancelled_at'
>

const addToSlots = prepareWrite(
  (
    tx: Tx,
    companyId: number,
    day: string,
    financial: string,
    fulfillment: string,
    slotOfAll: number,
    slotOfDay: number,
    by: number,
    id: number,
  ) =>
    sql`insert into order_counts
        (company_id, day, financial_status, fulfillment_status, slot, amount, first_id, last_id)
      values
        (${companyId}, '-infinity', ${financial}, ${fulfillment}, ${slotOfAll}, ${by}::bigint, ${id}, ${id}),
        (${companyId}, ${day}::date, ${financial}, ${fulfillment}, ${slotOfDay}, ${by}::bigint, ${id}, ${id})
      on conflict (company_id, day, financial_status, fulfillment_status, slot) do update
        set amount = order_counts.amount + excluded.amount,
          first_id = least(order_counts.first_id, excluded.first_id),
          last_id = greatest(order_counts.last_id, excluded.last_id)`.compile(tx),
)

/** Counts an order in, or out (-1), in the transaction that changes it. Old days have few writers, and one slot. */
async function count(tx: Tx, order: CountedOrder, by: 1 | -1, now: Date): Promise<void> {
  const day = dayOf(order.created_at)
  const slot = randomSlot()
  await addToSlots(
    tx,
    order.company_id,
    day,
    order.financial_status,
    storedStatus(order) ?? '',
    slot,
    day === dayOf(now) ? slot : 0,
    by,
    order.id,
  )
}

export function countIn(tx: Tx, order: CountedOrder, now: Date): Promise<void> {
  return count(tx, order, 1, now)
}

/** Adds the counts of many orders at once. */
export async function countAllIn(tx: Tx, companyId: number, counts: Iterable<DayCount>): Promise<void> {
  await sql`insert into order_counts
      (company_id, day, financial_status, fulfillment_status, slot, amount, first_id, last_id)
    select ${companyId}, day, financial_status, fulfillment_status, 0, amount, first_id, last_id
    from json_populate_recordset(null::order_counts, ${JSON.stringify([...counts])}::json)
    on conflict (company_id, day, financial_status, fulfillment_status, slot) do update
      set amount = order_counts.amount + excluded.amount,
        first_id = least(order_counts.first_id, excluded.first_id),
        last_id = greatest(order_counts.last_id, excluded.last_id)`.execute(tx)
}

/** Counts an order under its new status. */
export async function recount(tx: Tx, before: CountedOrder, after: CountedOrder, now: Date): Promise<void> {
  const isSame = before.financial_status === after.financial_status && storedStatus(before) === storedStatus(after)
  if (isSame) return
  await count(tx, before, -1, now)
  await count(tx, after, 1, now)
}

/** Merges the slots of past days, which no longer have several writers at once. */
export async function mergeCounts(tx: Tx, now: Date): Promise<void> {
  await sql`with old as (
      delete from order_counts
      where day > '-infinity' and day < ${dayOf(now)}::date - 1 and (company_id, day) in (
        select company_id, day from order_counts where slot > 0 and day > '-infinity'
          and day < ${dayOf(now)}::date - 1)
      returning *
    ) insert into order_counts
      (company_id, day, financial_status, fulfillment_status, slot, amount, first_id, last_id)
    select company_id, day, financial_status, fulfillment_status, 0, sum(amount), min(first_id), max(last_id)
    from old group by company_id, day, financial_status, fulfillment_status
    -- Another transaction may have counted the first order of this kind in the meantime.
    on conflict (company_id, day, financial_status, fulfillment_status, slot) do update
      set amount = order_counts.amount + excluded.amount,
        first_id = least(order_counts.first_id, excluded.first_id),
        last_id = greatest(order_counts.last_id, excluded.last_id)`.execute(tx)
}

/** Recounts the orders of a company while no order is added or changed. */
export async function resetCounts(tx: Tx, companyId: number): Promise<void> {
  await sql`lock table orders in share row exclusive mode`.execute(tx)
  await sql`delete from order_counts where company_id = ${companyId}`.execute(tx)
  await sql`insert into order_counts
      (company_id, day, financial_status, fulfillment_status, slot, amount, first_id, last_id)
    select ${companyId}, coalesce((created_at at time zone 'UTC')::date, '-infinity'), financial_status,
      coalesce(fulfillment_status, ''), 0, count(*), min(id), max(id)
    from orders where company_id = ${companyId}
    group by grouping sets (((created_at at time zone 'UTC')::date, financial_status, fulfillment_status),
      (financial_status, fulfillment_status))`.execute(tx)
}
