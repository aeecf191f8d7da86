import { defineJob } from '#platform/jobs/kinds.ts'
import { BULK_CHANGES } from '#platform/jobs/lanes.ts'

/** Corrects the invoice of a bill that was cancelled before anybody paid it. Invoices, which give the numbers, do it. */
export const FOLLOW_CANCELLATION = defineJob<{ order_id: number }>('order/follow-cancellation', {
  lane: BULK_CHANGES,
  wakes: false,
})
