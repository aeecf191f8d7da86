import { defineJob } from '#platform/jobs/kinds.ts'
import { HOUSEKEEPING } from '#platform/jobs/lanes.ts'

export const WRITE_BACKUP = defineJob<{ id: number }>('backup/write', { lane: HOUSEKEEPING })

export const WRITE_SCHEDULED = defineJob<{ due_at: string }, null>('backup/scheduled', { lane: HOUSEKEEPING })
