import { defineJob } from '#platform/jobs/kinds.ts'
import { BULK_CHANGES, FOLLOW_UPS } from '#platform/jobs/lanes.ts'
import type { Warning } from './state.ts'

/** Gives new keys of a product to those who wait for one. */
export const GIVE_KEYS = defineJob<{ product_key: number }>('software-keys/give', { lane: BULK_CHANGES })

/** Warns the owner that a list of keys is running out. */
export const WARN_OF_KEYS = defineJob<{ product_key: number; warning: Warning; left: number }>('software-keys/warn', {
  lane: FOLLOW_UPS,
  wakes: false,
})
