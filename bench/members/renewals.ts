import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { machineClock, nowInSeconds } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { readConfig } from '#platform/settings/config.ts'
import { closeStore, openMigratedStore } from '#program/boot/store.ts'
import { ADVANCE_SUBSCRIPTIONS } from '#selling/subscriptions/jobs.ts'
import { type CardClub, openCardClub } from '#test/crash/club.ts'
import { cpuMs, familyCpu, familyCpuMs, OTHER_CORE, pinWithChildren, rssMb } from '../machine.ts'
import { percentile } from '../measure.ts'
import { atCleanUp } from '../processes.ts'
import { makeFolder, postmasterPid, settings, startWorker } from '../services.ts'
import { cloneMembers } from './clones.ts'

export type Renewals = {
  due: number
  renewed: number
  perSecond: number
  /** For one renewal, with the mails and events that follow from it. */
  cpuMs: number
  databaseMs: number
  /** Of the worker: after the first tenth of the renewals, and the most. */
  memoryMb: { early: number; peak: number }
  /** How long jobs of another company took from the moment that they were asked for. */
  otherMs: { median: number; most: number }
  compared: number
}

const DUE = 100_000
const SMOKE_DUE = 12
const SMOKE_PROBES = 2
const PROBE_EVERY_MS = 2000
const LOOK_EVERY_MS = 100

/** Renews subscriptions that are all due at once, and watches meanwhile what becomes of another company's jobs. */
export async function measureRenewals({
  smoke,
  renewals,
  due = DUE,
}: {
  smoke: boolean
  renewals: number
  due?: number
}): Promise<Renewals> {
  const folder = await makeFolder(smoke)
  const store = await openMigratedStore(readConfig(settings(folder)))
  atCleanUp(() => closeStore(store))
  const postmaster = await postmasterPid(folder)
  pinWithChildren(OTHER_CORE, postmaster)
  const { db } = store
  const count = smoke ? SMOKE_DUE : due
  console.log(`Signing ${count} customers up …`)
  const club = await openCardClub(store, { name: 'big', members: 1 }, aMonthAgo())
  await cloneMembers(db, club, count - 1)
  const other = await openCardClub(store, { name: 'small', members: 1 }, nowInSeconds(machineClock))
  await sql`vacuum analyze`.execute(db)

  console.log('Measuring renewals …')
  const worker = await startWorker(folder)
  // The start of a process is not a part of a renewal.
  await until(async () => (await renewedOf(db, club)) > 0)
  const wanted = smoke ? count : Math.min(renewals, count)
  const [cpuBefore, databaseBefore, renewedBefore] = [
    cpuMs(worker.pid),
    familyCpu(postmaster),
    await renewedOf(db, club),
  ]
  const started = performance.now()
  const probes: number[] = []
  let [early, peak, renewed] = [0, 0, renewedBefore]
  const watch = async () => {
    renewed = await renewedOf(db, club)
    peak = Math.max(peak, rssMb(worker.pid))
    if (early === 0 && renewed >= wanted / 10) early = rssMb(worker.pid)
    return renewed >= wanted
  }
  const probing = probe(db, other, probes, () => renewed >= wanted && (!smoke || probes.length >= SMOKE_PROBES))
  await until(watch)
  const seconds = (performance.now() - started) / 1000
  const cpu = cpuMs(worker.pid) - cpuBefore
  const database = familyCpuMs(databaseBefore, familyCpu(postmaster))
  await probing
  const measured = renewed - renewedBefore
  if (smoke) await until(async () => !(await hasJobs(db)))
  await worker.stop()
  return {
    due: count,
    renewed: measured,
    perSecond: measured / seconds,
    cpuMs: cpu / measured,
    databaseMs: database / measured,
    memoryMb: { early, peak },
    otherMs: { median: percentile(probes, 0.5), most: Math.max(...probes) },
    compared: await verify(db, club, renewed),
  }
}

const MONTH_AND_A_DAY_MS = 32 * 86_400_000
const aMonthAgo = () => new Date(nowInSeconds(machineClock).getTime() - MONTH_AND_A_DAY_MS)

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await sleep(LOOK_EVERY_MS)
}

/** Renewals with everything that follows from them: those that are paid and confirmed by mail. */
async function renewedOf(db: Db, { companyId }: CardClub): Promise<number> {
  const { rows } = await sql<{ renewed: number }>`select least(
      (select count(*) from subscription_periods where company_id = ${companyId} and number = 2 and status = 'paid'),
      (select count(*) from mails where company_id = ${companyId})) as renewed`.execute(db)
  return rows[0]?.renewed ?? 0
}

async function hasJobs(db: Db): Promise<boolean> {
  const found = await db.selectFrom('jobs').select('id').where('failed_at', 'is', null).limit(1).executeTakeFirst()
  return found !== undefined
}

/** Asks for a job of another company in the same lane again and again, and waits until it is done. */
async function probe(db: Db, { companyId, subscriptions }: CardClub, probes: number[], isOver: () => boolean) {
  const [subscription_id = 0] = subscriptions
  while (!isOver()) {
    const started = performance.now()
    const job = { kind: ADVANCE_SUBSCRIPTIONS, companyId, data: { subscription_ids: [subscription_id] } }
    await inTransaction(db, (tx) => enqueue(tx, job, nowInSeconds(machineClock)))
    const isWaiting = () =>
      db.selectFrom('jobs').select('id').where('company_id', '=', companyId).limit(1).executeTakeFirst()
    while ((await isWaiting()) !== undefined) await sleep(10)
    probes.push(performance.now() - started)
    await sleep(isOver() ? 0 : PROBE_EVERY_MS)
  }
}

/**
 * Every renewal has one period, one order, one event of the order and no more than one invoice, and has charged once what the order costs.
 * `isOver`: the jobs that write invoices are done, so that none is missing.
 */
async function verify(db: Db, { companyId }: CardClub, renewed: number): Promise<number> {
  const { rows } = await sql<{ right: number; wrong: number }>`with renewals as materialized (
      select subscription_id, count(*) as periods, min(order_id) as order_id from subscription_periods
      where company_id = ${companyId} and number = 2 and status = 'paid' group by subscription_id
    ), sold as materialized (
      select id, subscription_id, total_cents from orders where company_id = ${companyId} and subscription_id is not null
    ), orders_of as materialized (
      select subscription_id, count(*) as orders from sold group by subscription_id
    ), periods_of as materialized (
      select subscription_id, count(*) as periods from subscription_periods
      where company_id = ${companyId} and order_id > 0 group by subscription_id
    ), paid as materialized (
      select order_id, count(*) as payments, sum(paid_cents) as cents from payments where company_id = ${companyId} group by order_id
    ), billed as materialized (
      select order_id, count(*) as invoices from invoices
      where company_id = ${companyId} and kind = 'invoice' group by order_id
    ), told as materialized (
      select (data ->> 'id')::bigint as order_id, count(*) as events from events
      where company_id = ${companyId} and topic = 'order/create' group by 1
    ), checked as (
      select coalesce(renewals.periods = 1 and orders_of.orders = periods_of.periods and paid.payments = 1
          and paid.cents = sold.total_cents and told.events = 1
          -- Nobody has paid for a test order, so there is no invoice.
          and billed.invoices is null, false) as is_right
      from renewals
      left join sold on sold.id = renewals.order_id
      left join orders_of on orders_of.subscription_id = renewals.subscription_id
      left join periods_of on periods_of.subscription_id = renewals.subscription_id
      left join paid on paid.order_id = renewals.order_id
      left join billed on billed.order_id = renewals.order_id
      left join told on told.order_id = renewals.order_id
    )
    select count(*) filter (where is_right) as right, count(*) filter (where not is_right) as wrong from checked`.execute(
    db,
  )
  const { right = 0, wrong = 0 } = rows[0] ?? {}
  if (wrong > 0 || right < renewed) throw new Error(`${right} of ${renewed} renewals are right, and ${wrong} are wrong`)
  return right
}
