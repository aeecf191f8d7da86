import { defineJob } from '#platform/jobs/kinds.ts'
import { FOLLOW_UPS } from '#platform/jobs/lanes.ts'
import type { Declaration } from './state.ts'

/** Looks the order up, keeps the declaration with it, and mails the customer and the owner. */
export const RECORD_WITHDRAWAL = defineJob<Declaration>('order/record-withdrawal', { lane: FOLLOW_UPS })
