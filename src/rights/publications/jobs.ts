import { defineJob } from '#platform/jobs/kinds.ts'
import { FILE_COPIES } from '#platform/jobs/lanes.ts'

export const PROTECT_PUBLICATION = defineJob<{ id: number }>('publication/protect', { lane: FILE_COPIES })
