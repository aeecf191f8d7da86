import { defineJob } from '#platform/jobs/kinds.ts'
import { BULK_CHANGES } from '#platform/jobs/lanes.ts'

/** Makes the mirrors of a company's products follow their originals; what has changed is noted in a table. */
export const FOLLOW_ORIGINALS = defineJob<Record<string, never>>('product/follow-originals', { lane: BULK_CHANGES })
