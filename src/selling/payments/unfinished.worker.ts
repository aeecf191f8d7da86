import { nowInSeconds } from '#platform/clock.ts'
import { isDatabaseAway } from '#platform/db/database.ts'
import { Problem } from '#platform/errors/problem.ts'
import type { Log } from '#platform/log/log.ts'
import { cancelOrder } from '#selling/orders/cancel.commands.ts'
import { lockSale, readUnpaid, readUnpaidBills } from '#selling/orders/queries.ts'
import { recordReport } from './commands.ts'
import type { PaymentWork } from './gateways/commands.ts'
import { UNFINISHED_MINUTES } from './limits.facts.ts'
import { findPayment, readDueDays, readEndedReservations, readPaymentsOfOrder, readUnfinished } from './queries.ts'
import { isAbandoned, isOverdue } from './rules.ts'
import { askGateway } from './start.commands.ts'

const BATCH = 100
/** Events and returning customers come first; the gateway is asked about the others. */
const ASK_AFTER_MINUTES = 10
/** No bill is due sooner. */
const DAY_MINUTES = 24 * 60

const FIRST = { company_id: 0, id: 0 }

type Unfinished = { company_id: number; id: number }
/** Only those of a company with a clock of its own, at its time. */
type OfSandbox = { companyId: number; now: Date }

const minutesBefore = (time: Date, minutes: number) => new Date(time.getTime() - minutes * 60_000)

/** Finishes payments of which nothing was heard, and cancels the orders of customers who have given up. */
export async function finishPayments(work: PaymentWork, log: Log, of?: OfSandbox): Promise<void> {
  const now = of?.now ?? nowInSeconds(work.clock)
  const asked = minutesBefore(now, ASK_AFTER_MINUTES)
  await eachOf(
    (after) => readUnfinished(work.db, asked, after, BATCH, of?.companyId),
    (found) => finishPayment(work, found, log),
    of,
  )
  const unpaid = minutesBefore(now, UNFINISHED_MINUTES)
  await eachOf(
    (after) => readUnpaid(work.db, unpaid, after, BATCH, of?.companyId),
    (found) => goingOn(log, found, () => cancelAbandoned(work, found)),
    of,
  )
}

/** Cancels the bills that nobody has paid in the time that their companies give. */
export async function cancelOverdueBills(work: PaymentWork, log: Log, of?: OfSandbox): Promise<void> {
  const now = of?.now ?? nowInSeconds(work.clock)
  await eachOf(
    (after) => readEndedReservations(work.db, now, after, BATCH, of?.companyId),
    ({ company_id, order_id }) => {
      const order = { company_id, id: order_id }
      return goingOn(log, order, () => cancelOverdue(work, order))
    },
    of,
  )
  const dayAgo = minutesBefore(now, DAY_MINUTES)
  await eachOf(
    (after) => readUnpaidBills(work.db, dayAgo, after, BATCH, of?.companyId),
    (found) => goingOn(log, found, () => cancelOverdue(work, found)),
    of,
  )
}

async function cancelOverdue({ db, change, now }: PaymentWork, { company_id, id }: Unfinished): Promise<void> {
  const days = await readDueDays(db, company_id, now(company_id))
  await change(async (tx) => {
    const { order } = await lockSale(tx, company_id, String(id))
    const payments = await readPaymentsOfOrder(tx, company_id, id)
    if (isOverdue(order, payments, days, now(company_id)))
      await cancelOrder(tx, { companyId: company_id }, String(id), now(company_id))
  })
}

/** An order that cannot be cancelled must not keep the others. */
async function goingOn(log: Log, { company_id, id }: Unfinished, cancel: () => Promise<void>): Promise<void> {
  try {
    await cancel()
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    log.error({ err: error, company_id, order_id: id }, 'an unpaid order could not be cancelled')
  }
}

async function eachOf<Found extends Unfinished>(
  read: (after: Unfinished) => Promise<Found[]>,
  handle: (found: Found) => Promise<void>,
  of: OfSandbox | undefined,
): Promise<void> {
  let after: Unfinished | undefined = of === undefined ? FIRST : { company_id: of.companyId, id: 0 }
  while (after !== undefined) {
    const found: Found[] = await read(after)
    for (const one of found) await handle(one)
    after = found.at(-1)
  }
}

async function finishPayment(work: PaymentWork, { company_id, id }: Unfinished, log: Log): Promise<void> {
  const payment = await findPayment(work.db, company_id, id)
  if (payment === undefined) return
  try {
    const { status } = await askGateway(work, payment, {})
    // The gateway ends its own attempt after the same time.
    const isOver = payment.created_at < minutesBefore(work.now(company_id), UNFINISHED_MINUTES)
    if (status === 'created' && isOver)
      await work.change((tx) => recordReport(tx, company_id, id, { kind: 'cancelled' }, work.now(company_id)))
  } catch (error) {
    // One gateway that does not answer must not keep the others from being asked.
    if (!(error instanceof Problem)) throw error
    log.warn({ err: error, company_id, payment_id: id }, 'a payment gateway could not be asked')
  }
}

async function cancelAbandoned({ change, now }: PaymentWork, { company_id, id }: Unfinished): Promise<void> {
  await change(async (tx) => {
    const { order } = await lockSale(tx, company_id, String(id))
    const payments = await readPaymentsOfOrder(tx, company_id, id)
    if (isAbandoned(order, payments)) await cancelOrder(tx, { companyId: company_id }, String(id), now(company_id))
  })
}
