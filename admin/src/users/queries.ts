import type { Schemas } from '@licet/client'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { Change } from '../ui/forms/editing.tsx'

export type User = Schemas['User']
export type Permissions = User['permissions']
export type NewUser = { email: string; first_name: string; last_name: string; permissions: Permissions }
export type UserChange = { first_name?: string; last_name?: string; permissions?: Partial<Permissions> }

/** Everybody who works in the company. There are few, so all of them are shown. */
export const usersQuery = queryOptions({
  queryKey: ['users', 'all'],
  queryFn: async ({ signal }) => {
    const found: User[] = []
    for await (const user of api.users.list({}, { signal })) found.push(user)
    return found
  },
})

/** A person with the version that a change names. */
export function userQuery(token: string) {
  return queryOptions({
    queryKey: ['users', token],
    queryFn: async ({ signal }) => {
      let etag = ''
      const onHeaders = (headers: Headers) => {
        etag = headers.get('etag') ?? ''
      }
      return { user: await api.users.get(token, {}, { signal, onHeaders }), etag }
    },
  })
}

function useUserChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: change, onSuccess: () => client.invalidateQueries({ queryKey: ['users'] }) })
}

/** What is asked of everybody who signs in. */
export const signInSettingsQuery = queryOptions({
  queryKey: ['users', 'sign-in settings'],
  queryFn: async ({ signal }) =>
    (await api.request('GET', '/admin/api/sign_in_settings.json', { signal })).sign_in_settings,
})

export const useRequireSecondFactor = () =>
  useUserChange((second_factor_required: boolean) =>
    api.request('PUT', '/admin/api/sign_in_settings.json', { body: { sign_in_settings: { second_factor_required } } }),
  )

export const useInvite = () => useUserChange((user: NewUser) => api.users.create(user))

export const useInviteAgain = (token: string) => useUserChange(() => api.users.sendInvitation(token))

export const useSaveUser = (token: string) =>
  useUserChange(({ changes, etag }: Change<UserChange>) =>
    api.users.update(token, changes, etag === undefined ? {} : { ifMatch: etag }),
  )

export const useSetState = (token: string) =>
  useUserChange((state: User['state']) => api.users.update(token, { state }))
