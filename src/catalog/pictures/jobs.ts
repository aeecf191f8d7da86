import { defineJob } from '#platform/jobs/kinds.ts'
import { DOWNLOADS, HOUSEKEEPING } from '#platform/jobs/lanes.ts'

type OfPicture = { id: number }

export const FETCH_PICTURE = defineJob<OfPicture>('picture/fetch', { lane: DOWNLOADS })
export const DELETE_PICTURE_FILES = defineJob<OfPicture>('picture/delete-files', { lane: HOUSEKEEPING })
