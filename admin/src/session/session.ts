import type { Schemas } from '@licet/client'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

export type Permission = keyof Schemas['User']['permissions'] & string

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => (await api.request('GET', '/admin/api/session.json', { signal })).session,
  staleTime: 60_000,
})

/** Who has signed in, and for which company. */
export function useSession() {
  return useSuspenseQuery(sessionQuery).data
}
