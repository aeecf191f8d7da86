import { defineJob } from '#platform/jobs/kinds.ts'
import { FOLLOW_UPS } from '#platform/jobs/lanes.ts'
import type { CancellationDeclaration } from './state.ts'

/** Looks for the subscription, cancels it if it is certain, and mails the customer and the owner. */
export const RECORD_CANCELLATION = defineJob<CancellationDeclaration>('subscription/record-cancellation', {
  lane: FOLLOW_UPS,
})
