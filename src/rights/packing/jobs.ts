import { defineJob } from '#platform/jobs/kinds.ts'
import { HOUSEKEEPING, PACKING } from '#platform/jobs/lanes.ts'

/** Packs the next part of a file, and enqueues itself until there is no part left. */
export const PACK_PART = defineJob<{ id: number }>('packed-file/part', { lane: PACKING })

export const DELETE_PACKED = defineJob<{ folder: string }>('packed-file/delete', { lane: HOUSEKEEPING })
