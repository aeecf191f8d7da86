import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { machineClock, nowInSeconds } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Scale } from '../findings.ts'
import { createAsk, type Stage } from '../load/run.ts'
import { addApp } from '../load/shop.ts'
import type { Mistake } from '../load/verify.ts'
import type { MoodyMailServer } from './mail.ts'
import { compareArrivals, type MoodyReceiver } from './receiver.ts'

/** A mail that was refused four times waits for half an hour. In the short form it is a minute. */
export const patienceMs = ({ isShort }: Pick<Scale, 'isShort'>) => (isShort ? 2 : 40) * 60_000

/** An app of its own for each receiver, because a failure blocks everything of the app. */
export async function subscribe({ store, shop, address }: Stage, url: string): Promise<void> {
  const token = await inTransaction(store.db, (tx) => addApp(tx, store.vault, shop, nowInSeconds(machineClock)))
  const webhook = { topic: 'order/create', address: url }
  const { status } = await createAsk(address, token)('POST', '/api/webhooks.json', { webhook })
  if (status !== 200 && status !== 201) throw new Error(`the webhook was answered with ${status}`)
}

/** Waits until everything has left for the partners, also what is tried again later. */
export async function untilLeft(db: Db, companyId: number, patience: number): Promise<void> {
  const deadline = performance.now() + patience
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

type Receivers = Readonly<Record<string, MoodyReceiver>>

/** Notes what must not be there. */
function collect() {
  const mistakes: Mistake[] = []
  const none = (what: string, found: readonly unknown[]) => {
    if (found.length > 0) mistakes.push({ what, found, expected: [] })
  }
  return { mistakes, none }
}

/** Compares what has arrived at receivers with the events of the orders. */
export async function compareEvents(
  db: Db,
  companyId: number,
  receivers: Receivers,
): Promise<{ events: number; mistakes: Mistake[] }> {
  const { mistakes, none } = collect()
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
  return { events: events.rows.length, mistakes }
}

/** Compares what the partners have got with what is stored. */
export async function compareLeft(
  db: Db,
  companyId: number,
  { receivers, mail }: { receivers: Receivers; mail: MoodyMailServer },
): Promise<Left> {
  const ofEvents = await compareEvents(db, companyId, receivers)
  const { mistakes, none } = collect()
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
  return { events: ofEvents.events, mails: mails.rows.length, mistakes: [...ofEvents.mistakes, ...mistakes] }
}
