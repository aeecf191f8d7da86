import type { Origin } from '#platform/identity/origin.ts'
import { defineJob } from '#platform/jobs/kinds.ts'
import { BULK_CHANGES } from '#platform/jobs/lanes.ts'

/** The decisions that the job is about, by their revision, and who asked for it. */
export type OfImport = {
  id: number
  revision: number
  userId: number | null
  appId: number | null
  origin: Origin
}

export const CHECK_IMPORT = defineJob<OfImport>('import/check', { lane: BULK_CHANGES })
export const RUN_IMPORT = defineJob<OfImport>('import/run', { lane: BULK_CHANGES })
export const UNDO_IMPORT = defineJob<OfImport>('import/undo', { lane: BULK_CHANGES })
