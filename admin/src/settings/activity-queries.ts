import type { Schemas } from '@licet/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'
import { firstPage, readPage } from '../ui/lists/pages.ts'
import type { ActivitySearch } from './search.ts'

export type AuditEntry = Schemas['AuditEntry']

/** A day of the reader begins at midnight where they are; the service reads GMT. */
function wireTime(day: string, clock: string): string {
  return new Date(`${day}T${clock}`).toISOString().slice(0, 19)
}

export function activityQuery({ action, user, from, until, ...span }: ActivitySearch) {
  const filters = {
    ...(action === undefined ? {} : { action }),
    ...(user === undefined ? {} : { user_id: user }),
    ...(from === undefined ? {} : { created_at_min: wireTime(from, '00:00:00') }),
    ...(until === undefined ? {} : { created_at_max: wireTime(until, '23:59:59') }),
  }
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
