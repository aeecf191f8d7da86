import { defineJob } from '#platform/jobs/kinds.ts'
import { SERVICE_CALLS } from '#platform/jobs/lanes.ts'

/** Pays a refund back through the gateway of its order. Payments, which know the gateways, do it. */
export const FOLLOW_REFUND = defineJob<{ order_id: number; refund_id: number }>('refund/follow', {
  lane: SERVICE_CALLS,
  wakes: false,
})
