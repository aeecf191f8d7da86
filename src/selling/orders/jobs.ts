import { defineJob } from '#platform/jobs/kinds.ts'
import { BULK_CHANGES, FOLLOW_UPS, SERVICE_CALLS } from '#platform/jobs/lanes.ts'

/** Corrects the invoice of a bill that was cancelled before anybody paid it. Invoices, which give the numbers, do it. */
export const FOLLOW_CANCELLATION = defineJob<{ order_id: number }>('order/follow-cancellation', {
  lane: BULK_CHANGES,
  wakes: false,
})

/** Ends what a customer could still pay of a cancelled order. Payments, which know the gateways, do it. */
export const END_OPEN_PAYMENTS = defineJob<{ order_id: number }>('order/end-open-payments', {
  lane: SERVICE_CALLS,
  wakes: false,
})

/** Goes on with a subscription, one of whose orders was paid or cancelled. Subscriptions, which know orders, do it. */
export const FOLLOW_SUBSCRIPTION = defineJob<{ subscription_id: number }>('order/follow-subscription', {
  lane: FOLLOW_UPS,
  wakes: false,
})
