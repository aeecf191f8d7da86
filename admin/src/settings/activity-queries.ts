import type { Schemas } from '@licet/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'
import { firstPage, readPage, spanIn } from '../ui/lists/pages.ts'
import { csvAddress } from '../ui/lists/views.ts'
import type { ActivitySearch } from './search.ts'

export type AuditEntry = Schemas['AuditEntry']

/** A day of the reader begins at midnight where they are; the service reads GMT. */
function wireTime(day: string, clock: string): string {
  return new Date(`${day}T${clock}`).toISOString().slice(0, 19)
}

function filtersOf({ action, user, from, until }: ActivitySearch) {
  return {
    ...(action === undefined ? {} : { action }),
    ...(user === undefined ? {} : { user_id: user }),
    ...(from === undefined ? {} : { created_at_min: wireTime(from, '00:00:00') }),
    ...(until === undefined ? {} : { created_at_max: wireTime(until, '23:59:59') }),
  }
}

/** Where the entries that are shown can be downloaded, all of them. */
export const activityCsv = (search: ActivitySearch) => csvAddress('/admin/api/audit_entries.json', filtersOf(search))

export function activityQuery(search: ActivitySearch) {
  const filters = filtersOf(search)
  const span = spanIn(search)
  return queryOptions({
    queryKey: ['activity', 'page', filters, span],
    queryFn: ({ signal }) => readPage((page) => api.auditEntries.list({ ...filters, ...page }, { signal }), span),
    placeholderData: keepPreviousData,
  })
}

/** Whose entries can be asked for. */
export const peopleQuery = queryOptions({
  queryKey: ['users', 'names'],
  queryFn: ({ signal }) => firstPage(api.users.list({ fields: 'id,email' }, { signal })),
})
