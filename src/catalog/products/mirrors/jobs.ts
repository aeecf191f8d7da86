import { defineJob } from '#platform/jobs/kinds.ts'
import { BULK_CHANGES } from '#platform/jobs/lanes.ts'

/** Updates the mirrors of a company's products. A table records which originals have changed. */
export const FOLLOW_ORIGINALS = defineJob<Record<string, never>>('product/follow-originals', { lane: BULK_CHANGES })
