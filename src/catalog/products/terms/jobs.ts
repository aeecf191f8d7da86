import type { ChangedTerms } from '#catalog/term-changes/jobs.ts'
import { defineJob } from '#platform/jobs/kinds.ts'
import { BULK_CHANGES } from '#platform/jobs/lanes.ts'

/** Goes on with the products that show changed terms, after the one with this key. */
export const FOLLOW_TERMS_ON = defineJob<ChangedTerms & { after: number }>('product/follow-terms-on', {
  lane: BULK_CHANGES,
})
