import { defineJob } from '#platform/jobs/kinds.ts'
import { BULK_CHANGES } from '#platform/jobs/lanes.ts'

/** The price models and licenses of a company that show something else than before. */
export type ChangedTerms = { price_ids: number[]; license_ids: number[] }

/**
 * Changes the products that show them. Changes that follow each other closely are handled together, because the job waits for
 * the next poll.
 */
export const FOLLOW_TERMS = defineJob<ChangedTerms>('product/follow-terms', { lane: BULK_CHANGES, wakes: false })
