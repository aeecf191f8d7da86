import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { recordReport } from '#selling/payments/commands.ts'
import { callGateway, openGateway } from '#selling/payments/gateways/commands.ts'
import type { Charged, Gateway } from '#selling/payments/gateways/gateway.ts'
import type { PaymentSettingsInput } from '#selling/payments/schema.ts'
import { startPayment } from '#selling/payments/start.commands.ts'
import type { GatewayName, PaymentState } from '#selling/payments/state.ts'
import type { Wire } from './factories.ts'
import type { Service, Shop } from './harness.ts'
import { aBuyer, aFilm } from './orders.ts'
import { contextOf, offer, placeToPay, workOf } from './payments.ts'

/** Somebody who is about to pay for the first of several periods. */
export type Subscriber = { shop: Shop; customer: Wire; film: Wire; gateway: GatewayName }

export async function aSubscriber(
  service: Service,
  gateway: GatewayName,
  settings: PaymentSettingsInput,
): Promise<Subscriber> {
  const shop = await service.openShop()
  await offer(service, shop, settings)
  return { shop, gateway, customer: await aBuyer(shop), film: await aFilm(service, shop) }
}

/** The order of a period, with a payment that no gateway has heard of. */
export function aPeriod(service: Service, { shop, customer, film, gateway }: Subscriber) {
  return placeToPay(service, shop, customer, [film], gateway)
}

/** Starts the first payment, so that the gateway saves what it is paid with, and returns its name there. */
export async function startFirst(service: Service, payment: PaymentState, keepsMeans = true): Promise<string> {
  const context = { ...contextOf(), keepsMeans }
  const { payment: started } = await startPayment(workOf(service), payment.company_id, payment.id, context)
  if (started.external_id === null) throw new Error(`payment ${payment.id} was not started: ${started.failure}`)
  return started.external_id
}

/** The payment of a trial costs nothing. */
export async function makeTrial(service: Service, { id }: PaymentState): Promise<void> {
  await service.db.updateTable('payments').set({ amount_cents: 0 }).where('id', '=', id).execute()
}

export function gatewayOf(service: Service, { shop, gateway }: Subscriber): Promise<Gateway> {
  return openGateway(workOf(service), shop.companyId, gateway)
}

/** Asks the gateway to charge again. Nothing is written down, as if the program were killed after the answer. */
export async function ask(
  service: Service,
  subscriber: Subscriber,
  earlier: PaymentState,
  payment: PaymentState,
): Promise<Charged> {
  const gateway = await gatewayOf(service, subscriber)
  return callGateway(subscriber.gateway, gateway, ({ chargeAgain }) => {
    if (chargeAgain === undefined) throw new Error(`${subscriber.gateway} cannot charge again`)
    return chargeAgain(earlier, payment, 1)
  })
}

/** Writes down what a gateway has answered. */
export async function record(service: Service, payment: PaymentState, report: Charged): Promise<PaymentState> {
  const now = nowInSeconds(service.clock)
  const after = await inTransaction(service.db, (tx) => recordReport(tx, payment.company_id, payment.id, report, now))
  if (after === undefined) throw new Error(`there is no payment ${payment.id}`)
  return after
}

/** Charges a period and writes down what became of it. */
export async function renew(
  service: Service,
  subscriber: Subscriber,
  earlier: PaymentState,
): Promise<{ orderId: number; payment: PaymentState }> {
  const { orderId, payment } = await aPeriod(service, subscriber)
  return { orderId, payment: await record(service, payment, await ask(service, subscriber, earlier, payment)) }
}
