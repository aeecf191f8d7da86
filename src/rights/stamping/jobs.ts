import { defineJob } from '#platform/jobs/kinds.ts'
import { FILE_COPIES } from '#platform/jobs/lanes.ts'

export const STAMP_FILE = defineJob<{ id: number }>('stamped-file/make', { lane: FILE_COPIES })
