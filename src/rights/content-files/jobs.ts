import { defineJob } from '#platform/jobs/kinds.ts'
import { HOUSEKEEPING } from '#platform/jobs/lanes.ts'

/** Deletes bytes that no file refers to any more, after the commit, because a rollback could not bring them back. */
export const DELETE_BYTES = defineJob<{ key: string }>('content-file/delete-bytes', { lane: HOUSEKEEPING })
