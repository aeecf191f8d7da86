import { getCorrespondent } from '#identity/companies/queries.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { createHandler, doneTogether, type JobHandler } from '#platform/jobs/handlers.ts'
import type { JobKind } from '#platform/jobs/kinds.ts'
import { type NewMail, queueMail } from '#platform/mail/queue.ts'
import { readFulfillments } from '../fulfillments/queries.ts'
import { SHIPPED } from '../fulfillments/rules.ts'
import { orderName } from '../rules.ts'
import { confirmationTemplate } from './confirmation.mails.ts'
import {
  CONFIRM_ORDER,
  type LowStock,
  type OfOrder,
  type OfRefund,
  TELL_CANCELLATION,
  TELL_REFUND,
  TELL_SHIPMENT,
  WARN_OF_STOCK,
} from './jobs.ts'
import { readOrderMailContext } from './queries.ts'
import { cancellationTemplate, refundTemplate, shipmentTemplate, stockTemplate } from './templates.mails.ts'

/** Writes the mail of a job; undefined if there is nothing to send any more. */
type Writer<Data> = (tx: Tx, companyId: number, data: Data, made: Made) => Promise<NewMail | undefined>

/** When a mail is written, and where its links lead. */
type Made = { baseUrl: string; now: Date }

/** An order that is cancelled or unconfirmed by now gets no confirmation. */
const confirmOrder: Writer<OfOrder> = async (tx, companyId, { order_id }, { baseUrl, now }) => {
  const context = await readOrderMailContext(tx, companyId, order_id, baseUrl)
  if (context === undefined || !context.order.confirmed || context.order.cancelled_at !== null) return undefined
  // The mail about the subscription says what a trial is; an order that costs nothing says nothing more.
  if (context.order.subscription_id !== null && context.order.total_cents === 0) return undefined
  return confirmationTemplate(context, baseUrl, now)
}

const tellRefund: Writer<OfRefund> = async (tx, companyId, { order_id, refund_id }, { baseUrl }) => {
  const context = await readOrderMailContext(tx, companyId, order_id, baseUrl)
  const refund = context?.order.refunds.find(({ id }) => id === refund_id)
  return context === undefined || refund === undefined ? undefined : refundTemplate(context, refund)
}

const tellCancellation: Writer<OfOrder> = async (tx, companyId, { order_id }, { baseUrl }) => {
  const context = await readOrderMailContext(tx, companyId, order_id, baseUrl)
  return context === undefined ? undefined : cancellationTemplate(context)
}

const tellShipment: Writer<OfOrder> = async (tx, companyId, { order_id }, { baseUrl }) => {
  const context = await readOrderMailContext(tx, companyId, order_id, baseUrl)
  const [parcel] = context === undefined ? [] : await readFulfillments(tx, companyId, [context.order])
  if (context === undefined || parcel?.status !== SHIPPED || parcel.cancelled) return undefined
  return shipmentTemplate(context, parcel)
}

/** A mail about an order is found beside it. */
const aboutOrder = (data: object) =>
  'order_id' in data && typeof data.order_id === 'number' ? { concerns: orderName(data.order_id) } : {}

const warnOfStock: Writer<LowStock> = async (tx, companyId, low) =>
  stockTemplate(await getCorrespondent(tx, companyId), low)

/** The handlers of the jobs that write mails about orders. Each writes at most one mail, however often it runs. */
export function createOrderMailers({ db, clock, baseUrl }: { db: Db; clock: Clock; baseUrl: string }): JobHandler[] {
  const mailer = <Data extends object>(kind: JobKind<Data>, write: Writer<Data>): JobHandler =>
    createHandler(
      kind,
      doneTogether({ db, clock }, async (tx, { companyId, data }) => {
        const now = clock.of(companyId)
        const mail = await write(tx, companyId, data, { baseUrl, now })
        if (mail !== undefined) await queueMail(tx, { ...mail, ...aboutOrder(data) }, now)
      }),
    )
  return [
    mailer(CONFIRM_ORDER, confirmOrder),
    mailer(TELL_CANCELLATION, tellCancellation),
    mailer(TELL_REFUND, tellRefund),
    mailer(TELL_SHIPMENT, tellShipment),
    mailer(WARN_OF_STOCK, warnOfStock),
  ]
}
