import type { Origin } from '#platform/identity/origin.ts'
import { defineJob } from '#platform/jobs/kinds.ts'
import { SIGN_IN_MAIL } from '#platform/jobs/lanes.ts'

export type ResetRequest = { email: string; baseUrl: string; origin: Origin }

/** Sends a reset link to the user with the address, if there is one. */
export const SEND_RESET = defineJob<ResetRequest, null>('send reset link', { lane: SIGN_IN_MAIL })
