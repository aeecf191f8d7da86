import type { Schemas } from '@licet/client'
import { queryOptions, useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { api, showCompany } from '../api.ts'

export type Permission = keyof Schemas['User']['permissions'] & string

const SESSION = '/admin/api/session.json'

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const { session } = await api.request('GET', SESSION, { signal })
    showCompany(session.company.id)
    return session.second_factor_missing ? { ...session, user: withoutPermissions(session.user) } : session
  },
  staleTime: 60_000,
})

/** Whoever has to set up the second step first may do nothing else, whatever they may do afterwards. */
function withoutPermissions(user: Schemas['User']): Schemas['User'] {
  const none = Object.keys(user.permissions).map((name) => [name, 0])
  return { ...user, permissions: { ...user.permissions, ...Object.fromEntries(none) } }
}

/** May the user who has signed in do something? What is forbidden is not shown; the service refuses it anyway. */
export function useMay(permission: Permission): boolean {
  const { permissions } = useSession().user
  return permissions.web_access === 1 && permissions[permission] === 1
}

/** Who has signed in, and for which company. */
export function useSession() {
  return useSuspenseQuery(sessionQuery).data
}

/** Goes on to another company. The page is loaded anew, so that nothing of the one before is left. */
export function useSwitchCompany() {
  return useMutation({
    mutationFn: (company_id: number) =>
      api.request('POST', '/admin/api/session/switch.json', { body: { session: { company_id } } }),
    onSuccess: () => location.assign('/admin'),
  })
}

/** Signs out in this browser. */
export function useSignOut() {
  return useMutation({
    mutationFn: () => api.request('DELETE', SESSION, {}),
    onSuccess: () => location.assign('/sign-in?told=out'),
  })
}
