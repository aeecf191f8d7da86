import type { Schemas } from '@licet/client'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'
import { firstPage } from '../ui/lists/pages.ts'

export type Period = 'today' | 'last_7_days' | 'last_30_days'
export type Overview = Schemas['StatisticsOverview']
export type Readiness = Schemas['Readiness']
export type Step = Readiness['steps'][number]
export type AttentionItem = Schemas['Attention']['items'][number]
export type AuditEntry = Schemas['AuditEntry']

export function overviewQuery(companyId: number) {
  return queryOptions({
    queryKey: ['statistics', 'overview', companyId],
    queryFn: ({ signal }) => api.statistics.overview.get(companyId, undefined, { signal }),
  })
}

/** What is left to do before the first sale. */
export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  staleTime: 0,
  queryFn: ({ signal }) => api.readiness.get(undefined, { signal }),
})

/** What needs attention. It is read again when the user returns to the page, because they may have dealt with it. */
export const attentionQuery = queryOptions({
  queryKey: ['attention'],
  staleTime: 0,
  queryFn: ({ signal }) => api.attention.get(undefined, { signal }),
})

/** Sign-ins and renewed tokens are many, and say little. */
const READ = 50

/** The latest entries of the audit log, and the names of the users who made them. */
export const activityQuery = queryOptions({
  queryKey: ['activity'],
  queryFn: async ({ signal }) => {
    const [entries, users] = await Promise.all([
      firstPage(api.auditEntries.list({ limit: READ, sort: '-id' }, { signal })),
      firstPage(api.users.list({ fields: 'id,email,first_name,last_name' }, { signal })),
    ])
    const names = new Map(
      users.map(({ id, email, first_name, last_name }) => [
        id,
        [first_name, last_name].filter(Boolean).join(' ') || email,
      ]),
    )
    return { entries, names }
  },
})
