import { defineJob } from '#platform/jobs/kinds.ts'
import { FOLLOW_UPS } from '#platform/jobs/lanes.ts'
import type { Flag } from './state.ts'

/** Tells the owner of a payment that needs attention. */
export const WARN_OF_PAYMENT = defineJob<{ payment_id: number; flag: Flag }>('payment/warn', {
  lane: FOLLOW_UPS,
  wakes: false,
})

/** Tells the customer how to pay a bill. */
export const ASK_FOR_PAYMENT = defineJob<{ order_id: number }>('payment/ask', { lane: FOLLOW_UPS, wakes: false })
