import { emit } from '#history/events/emit.commands.ts'
import { noteProved } from '#people/customers/relations.commands.ts'
import type { Tx } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { setOnHold } from '#rights/entitlements/commands.ts'
import { holdSoldCodes } from '#rights/redemption-codes/commands.ts'
import { recount } from './counts/commands.ts'
import { showFulfillment } from './fulfillments/commands.ts'
import { FOLLOW_SUBSCRIPTION } from './jobs.ts'
import { confirmByMail } from './mails/commands.ts'
import { saveOrder } from './rows.commands.ts'
import { awaitsGateway, fulfillmentStatus, isShipped } from './rules.ts'
import { tellOfOrder } from './sale/effects.commands.ts'
import type { OrderState } from './state.ts'

/** Notes through which gateway the customer pays now. With a bill, which is paid later, the sale is made. */
export async function chooseGateway(tx: Tx, before: OrderState, gateway: string, now: Date): Promise<OrderState> {
  if (before.gateway === gateway || !awaitsGateway(before)) return before
  const after = { ...before, gateway, updated_at: now }
  await Promise.all([saveOrder(tx, after), !awaitsGateway(after) && makeSale(tx, after, now)])
  return after
}

/** What waits for a customer to pay through a gateway. */
async function makeSale(tx: Tx, order: OrderState, now: Date): Promise<void> {
  await Promise.all([tellOfOrder(tx, order, now), showFulfillment(tx, order, now)])
}

/** Tells apps that a bill is paid. They have heard of the order when it was made. */
function tellOfPayment(tx: Tx, { company_id, id }: OrderState, now: Date): Promise<void> {
  return emit(tx, company_id, 'order/update', now, [{ type: 'order', id: String(id) }])
}

/** A period of a subscription begins, or ends, with its order. */
export async function followSubscription(
  tx: Tx,
  { company_id, subscription_id }: Pick<OrderState, 'company_id' | 'subscription_id'>,
  now: Date,
): Promise<void> {
  if (subscription_id === null) return
  await enqueue(tx, { kind: FOLLOW_SUBSCRIPTION, companyId: company_id, data: { subscription_id } }, now)
}

export type Settling = {
  /** Whoever settles the order goes on with its subscription, so that no job has to. */
  isFollowed?: boolean
}

/**
 * Notes that an order is paid: from now on the customer may use what was bought. A cancelled order stays cancelled, and is
 * paid so that it can be refunded. Lock the order first. The statements leave together, because each of a dozen round trips
 * would be as long as the service is busy with something else, and the order is locked meanwhile.
 */
export async function settleOrder(
  tx: Tx,
  before: OrderState,
  gateway: string,
  now: Date,
  { isFollowed = false }: Settling = {},
): Promise<OrderState> {
  if (before.financial_status !== 'pending') return before
  const isCancelled = before.cancelled_at !== null
  const after: OrderState = {
    ...before,
    gateway,
    financial_status: 'paid',
    fulfillment_status: fulfillmentStatus({ ...before, financial_status: 'paid', isShipped: isShipped(before) }),
    confirmed: before.confirmed || !isCancelled,
    processed_at: isCancelled ? before.processed_at : now,
    updated_at: now,
  }
  // Nobody pays for somebody else's address. What costs nothing, or is a test, proves nothing.
  const isProved = !after.test && after.total_cents > 0
  await Promise.all([
    saveOrder(tx, after),
    recount(tx, before, after),
    isProved && noteProved(tx, after),
    !isCancelled && deliver(tx, { before, after, isFollowed }, now),
  ])
  return after
}

type Settled = { before: OrderState; after: OrderState; isFollowed: boolean }

/** What a paid order sets going. */
async function deliver(tx: Tx, { before, after, isFollowed }: Settled, now: Date): Promise<void> {
  const isNew = !before.confirmed
  await Promise.all([
    !isFollowed && followSubscription(tx, after, now),
    awaitsGateway(before) ? makeSale(tx, after, now) : tellOfPayment(tx, after, now),
    // A period of a subscription gives neither rights nor codes of its own.
    isNew && after.subscription_id === null && release(tx, after, now),
    isNew && confirmByMail(tx, after, now),
  ])
}

/** Ends the wait of the rights and codes that were bought. */
async function release(tx: Tx, { company_id, id }: OrderState, now: Date): Promise<void> {
  await Promise.all([setOnHold(tx, company_id, id, false, now), holdSoldCodes(tx, company_id, id, false, now)])
}
