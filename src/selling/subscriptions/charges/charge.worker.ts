import { nowInSeconds } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { recordReport } from '#selling/payments/commands.ts'
import { callGateway, openGateway, type PaymentWork } from '#selling/payments/gateways/commands.ts'
import type { Report } from '#selling/payments/state.ts'
import { ADVANCE_SUBSCRIPTIONS } from '../jobs.ts'
import { lockSubscription } from '../queries.ts'
import { takeDue } from '../rows.commands.ts'
import type { SubscriptionState } from '../state.ts'
import { type Charge, proceed } from '../steps.commands.ts'

const BATCH = 1000
/** Subscriptions of one job. The next company has to wait for them. */
const OF_JOB = 10

/** Hands subscriptions that are due to the workers. One that is not done within the hour is handed out again. */
export async function enqueueDue({ db, clock }: Pick<PaymentWork, 'db' | 'clock'>): Promise<void> {
  while ((await enqueueBatch(db, nowInSeconds(clock))) === BATCH);
}

/** The same for those of one company, at its own time; returns how many. */
export async function enqueueDueOf(db: Db, companyId: number, now: Date): Promise<number> {
  let all = 0
  for (let taken = BATCH; taken === BATCH; all += taken) taken = await enqueueBatch(db, now, companyId)
  return all
}

function enqueueBatch(db: Db, now: Date, only?: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    const due = await takeDue(tx, now, BATCH, only)
    const byCompany = Map.groupBy(due, ({ company_id }) => company_id)
    for (const [companyId, ofCompany] of byCompany)
      await enqueueAdvances(
        tx,
        companyId,
        ofCompany.map(({ id }) => id),
        now,
      )
    return due.length
  })
}

async function enqueueAdvances(tx: Tx, companyId: number, ids: readonly number[], now: Date): Promise<void> {
  const jobs = Array.from({ length: Math.ceil(ids.length / OF_JOB) }, (_, index) => ({
    kind: ADVANCE_SUBSCRIPTIONS,
    companyId,
    data: { subscription_ids: ids.slice(index * OF_JOB, (index + 1) * OF_JOB) },
  }))
  await enqueue(tx, jobs, now)
}

/**
 * Does what has to be done for a subscription. A charge is written down before the gateway is asked, and asked about with the same
 * key until its fate is known, so that a worker that is killed in between charges nothing twice.
 */
export async function advance(
  work: PaymentWork,
  companyId: number,
  id: number,
  { isAsked = false }: { isAsked?: boolean } = {},
): Promise<void> {
  let charge = await work.change((tx) => proceed(tx, companyId, id, work.now(companyId), { isAsked }))
  while (charge !== undefined) {
    const { payment } = charge
    const report = await askFor(work, charge)
    charge = await work.change(async (tx) => {
      // Everybody locks a subscription before its orders.
      const locked = await lockSubscription(tx, companyId, String(id))
      return follow(tx, companyId, locked, payment.id, report, work.now(companyId))
    })
    // The customer has something to do first, or the gateway takes its time.
    if (charge?.payment.id === payment.id) return
  }
}

export async function askFor(work: PaymentWork, { payment, earlier, attempt }: Charge): Promise<Report> {
  if (earlier === undefined) return { kind: 'failed', failure: 'no_saved_means' }
  const gateway = await openGateway(work, payment.company_id, payment.gateway)
  const report = await callGateway(payment.gateway, gateway, async ({ chargeAgain }) =>
    chargeAgain?.(earlier, payment, attempt),
  )
  return report ?? { kind: 'failed', failure: 'no_saved_means' }
}

/** Records what the gateway said about a locked subscription, and goes on. */
export async function follow(
  tx: Tx,
  companyId: number,
  locked: SubscriptionState,
  paymentId: number,
  report: Report,
  now: Date,
): Promise<Charge | undefined> {
  await recordReport(tx, companyId, paymentId, report, now, { isFollowed: true })
  return proceed(tx, companyId, locked.id, now, { locked })
}
