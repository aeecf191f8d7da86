import type { Schemas } from '@licet/client'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

export type Permission = keyof Schemas['User']['permissions'] & string

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => (await api.request('GET', '/admin/api/session.json', { signal })).session,
  staleTime: 60_000,
})

/** May the user who has signed in do something? What is forbidden is not shown; the service refuses it anyway. */
export function useMay(permission: Permission): boolean {
  return useSession().user.permissions[permission] === 1
}

/** Who has signed in, and for which company. */
export function useSession() {
  return useSuspenseQuery(sessionQuery).data
}
