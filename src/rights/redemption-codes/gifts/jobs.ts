import { defineJob } from '#platform/jobs/kinds.ts'
import { FOLLOW_UPS } from '#platform/jobs/lanes.ts'

export type GiftJob = { gift_id: number }

/** Mails a gift when its time has come, unless it was called back. */
export const SEND_GIFT = defineJob<GiftJob>('redemption-code/send-gift', { lane: FOLLOW_UPS, wakes: false })
