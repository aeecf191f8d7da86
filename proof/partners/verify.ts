import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Mistake } from '../load/verify.ts'
import type { MoodyMailServer } from './mail.ts'
import { compareArrivals, type MoodyReceiver } from './receiver.ts'

/** The longest wait of a mail that was refused four times is half an hour. */
const PATIENCE_MS = 40 * 60_000

/** Waits until everything has left for the partners, also what is tried again later. */
export async function untilLeft(db: Db, companyId: number): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const { rows } = await sql<{ left: number }>`select (select count(*) from events where position is null)
      + (select count(*) from jobs where company_id = ${companyId} and failed_at is null)
      + (select count(*) from deliveries where company_id = ${companyId} and state = 'pending') as left`.execute(db)
    if (rows[0]?.left === 0) return
    if (performance.now() > deadline) throw new Error(`${rows[0]?.left} events, jobs and deliveries are left`)
    await sleep(100)
  }
}

export type Left = { events: number; mails: number; mistakes: Mistake[] }

/** Compares what the partners have got with what is stored. */
export async function compareLeft(
  db: Db,
  companyId: number,
  { receivers, mail }: { receivers: Readonly<Record<string, MoodyReceiver>>; mail: MoodyMailServer },
): Promise<Left> {
  const mistakes: Mistake[] = []
  const none = (what: string, found: readonly unknown[]) => {
    if (found.length > 0) mistakes.push({ what, found, expected: [] })
  }
  // The orders with which the shop was filled are older than the webhooks.
  const events = await sql<{ message: string }>`select 'evt_' || position as message from events
    where company_id = ${companyId} and topic = 'order/create' and data ->> 'id' in (
      select orders.id::text from orders where company_id = ${companyId} and (po_number like 'load-%' or email like 'load-%'))`.execute(
    db,
  )
  for (const [name, receiver] of Object.entries(receivers)) {
    const { missing, repeated } = compareArrivals(
      receiver,
      events.rows.map(({ message }) => message),
    )
    none(`events that never arrived at the receiver that ${name}`, missing)
    none(`events that arrived again at the receiver that ${name}`, repeated)
  }
  const deliveries = await sql<{ id: number }>`select id from deliveries
    where company_id = ${companyId} and state <> 'delivered'`.execute(db)
  none('deliveries that were given up', deliveries.rows)
  const webhooks = await sql<{ id: number }>`select id from webhooks
    where company_id = ${companyId} and not is_active`.execute(db)
  none('webhooks that were given up', webhooks.rows)
  const mails = await sql<{ id: number; isSent: boolean; last_error: string | null }>`select id,
    sent_at is not null and failed_at is null as "isSent", last_error from mails where company_id = ${companyId}`.execute(
    db,
  )
  const taken = new Set([...mail.taken.keys()].map((id) => Number(/^<licet\.(\d+)\./.exec(id)?.[1])))
  none(
    'mails that were given up',
    mails.rows.filter(({ isSent }) => !isSent).map(({ id, last_error }) => `${id}: ${last_error}`),
  )
  none(
    'mails that no server has taken',
    mails.rows.filter(({ id }) => !taken.has(id)).map(({ id }) => id),
  )
  const unpromised = await sql<{ email: string }>`select email from orders where company_id = ${companyId}
    and financial_status = 'paid' and cancelled_at is null and email like 'load-%'
    and not exists (select from mails where mails.company_id = orders.company_id and recipient = orders.email)`.execute(
    db,
  )
  none('guests without a mail about their order', unpromised.rows)
  return { events: events.rows.length, mails: mails.rows.length, mistakes }
}
