import { Problem } from '#platform/errors/problem.ts'
import { noteAttempt, type Opening, openPayment, recordReport } from './commands.ts'
import { callGateway, openGateway, type PaymentWork } from './gateways/commands.ts'
import type { Answer, PaymentContext } from './gateways/gateway.ts'
import { getPayment, getPaymentByToken, readPaymentsOfOrder } from './queries.ts'
import { isChargeUnderWay, isNeverStarted, isPaid } from './rules.ts'
import type { GatewayName, PaymentState, Report } from './state.ts'

/**
 * How a payment goes on: the customer leaves for the gateway, answers a second step on a page of the shop, or is done, and
 * the status of the payment says how it ended.
 */
export type Progress = {
  payment: PaymentState
  next: { kind: 'redirect'; url: string } | { kind: 'step' } | { kind: 'done' }
}

/** Starts a payment at its gateway. Starting it again, after a crash or a reload, goes on with the same attempt. */
export async function startPayment(
  work: PaymentWork,
  companyId: number,
  paymentId: number,
  context: PaymentContext,
): Promise<Progress> {
  const payment = await getPayment(work.db, companyId, String(paymentId))
  if (payment.status !== 'created') return { payment, next: { kind: 'done' } }
  const gateway = await openGateway(work, companyId, payment.gateway)
  const started = await callGateway(payment.gateway, gateway, ({ create }) => create(payment, context))
  if (started.kind === 'step') return { payment, next: { kind: 'step' } }
  if (started.kind === 'reported')
    return { payment: await record(work, payment, started.report), next: { kind: 'done' } }
  await work.change((tx) => noteAttempt(tx, companyId, payment.id, started.externalId, work.now(companyId)))
  return { payment: { ...payment, external_id: started.externalId }, next: { kind: 'redirect', url: started.url } }
}

/**
 * Asks the gateway what has become of a payment when the customer comes back from it, or answers a second step. The event
 * of the gateway may come before, after or at the same time.
 */
export async function confirmPayment(
  work: PaymentWork,
  companyId: number,
  token: string,
  answer: Answer = {},
): Promise<PaymentState> {
  const payment = await getPaymentByToken(work.db, companyId, token)
  return askGateway(work, payment, answer)
}

/** Asks the gateway about a payment that is not over. */
export async function askGateway(work: PaymentWork, payment: PaymentState, answer: Answer): Promise<PaymentState> {
  if (payment.status !== 'created' && payment.status !== 'pending') return payment
  const gateway = await openGateway(work, payment.company_id, payment.gateway)
  return record(work, payment, await callGateway(payment.gateway, gateway, ({ confirm }) => confirm(payment, answer)))
}

/**
 * Opens another attempt to pay an order, with the same gateway or another one; the number of a test card decides on it at
 * once. Undefined: there is nothing left to pay, as it turns out.
 */
export async function openNextPayment(
  work: PaymentWork,
  companyId: number,
  orderId: number,
  gateway: GatewayName,
  { card, isGuest }: Pick<Opening, 'card' | 'isGuest'> = {},
): Promise<PaymentState | undefined> {
  const left = await endAttempts(work, companyId, orderId)
  if (left === undefined) return undefined
  return work.change((tx) =>
    openPayment(tx, { companyId }, orderId, gateway, work.now(companyId), { card, left, isGuest }),
  )
}

/**
 * Ends the attempts of a customer who starts another one, so that only one of them can be paid, and returns those whose
 * gateway did not answer. Undefined: there is nothing left to pay, because one of them has succeeded. A gateway that does not
 * answer must not keep the customer from paying some other way: its attempt ends by itself within the hour, and money that
 * arrives twice is flagged. An attempt that the gateway says is still open goes on.
 */
async function endAttempts(work: PaymentWork, companyId: number, orderId: number): Promise<PaymentState[] | undefined> {
  const open = await readOpen(work, companyId, orderId)
  const left: PaymentState[] = []
  let isPaying = false
  for (const payment of open) {
    // Nobody knows yet what has become of a charge that the service has made.
    if (isChargeUnderWay(payment)) return undefined
    const after = await endAttempt(work, payment)
    if (after === undefined) left.push(payment)
    else isPaying ||= after.status === 'pending' || isPaid(after)
  }
  return isPaying ? undefined : left
}

/**
 * Ends the attempts to pay an order that was cancelled. Throws if a gateway does not answer, so that the job is tried again.
 * An attempt that the gateway has not named yet is ended when it has.
 */
export async function endOpenPayments(work: PaymentWork, companyId: number, orderId: number): Promise<void> {
  for (const payment of await readOpen(work, companyId, orderId))
    if (payment.external_id !== null || isNeverStarted(payment, work.now(payment.company_id)))
      await expireAttempt(work, payment)
}

async function readOpen(work: PaymentWork, companyId: number, orderId: number): Promise<PaymentState[]> {
  return (await readPaymentsOfOrder(work.db, companyId, orderId)).filter(({ status }) => status === 'created')
}

/** Undefined: the gateway does not answer. */
async function endAttempt(work: PaymentWork, payment: PaymentState): Promise<PaymentState | undefined> {
  try {
    return await expireAttempt(work, payment)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // One that the gateway has not named yet cannot be ended. Another press of the button is starting it.
    return payment.external_id === null ? payment : undefined
  }
}

async function expireAttempt(work: PaymentWork, payment: PaymentState): Promise<PaymentState> {
  if (isNeverStarted(payment, work.now(payment.company_id))) return record(work, payment, { kind: 'cancelled' })
  const gateway = await openGateway(work, payment.company_id, payment.gateway)
  const report = await callGateway(payment.gateway, gateway, async ({ expire }) => expire?.(payment))
  return report === undefined ? payment : record(work, payment, report)
}

async function record({ change, now }: PaymentWork, payment: PaymentState, report: Report): Promise<PaymentState> {
  return (
    (await change((tx) => recordReport(tx, payment.company_id, payment.id, report, now(payment.company_id)))) ?? payment
  )
}
