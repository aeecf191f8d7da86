import type { Schemas } from '@licet/client'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { Change } from '../ui/forms/editing.tsx'
import { matching, withEtag } from '../with-etag.ts'

export type Group = Schemas['Group']
export type GroupInput = Schemas['GroupInput']
export type GroupChange = Schemas['GroupChange']

/** All of them: a company has few. */
export const groupsQuery = queryOptions({
  queryKey: ['groups', 'list'],
  queryFn: async ({ signal }) => {
    const found: Group[] = []
    for await (const group of api.groups.list({}, { signal })) found.push(group)
    return found
  },
})

/** A group with the version that a change names. */
export function groupQuery(id: string) {
  return queryOptions({
    queryKey: ['groups', 'one', id],
    queryFn: ({ signal }) => withEtag('group', (onHeaders) => api.groups.get(id, {}, { signal, onHeaders })),
  })
}

/** A change after which what is known of groups is read again. */
function useGroupChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: change, onSuccess: () => client.invalidateQueries({ queryKey: ['groups'] }) })
}

export const useCreateGroup = () => useGroupChange((group: GroupInput) => api.groups.create(group))

export const useSaveGroup = (id: string) =>
  useGroupChange(({ changes, etag }: Change<GroupChange>) => api.groups.update(id, changes, matching(etag)))

/** What is deleted is not read again. */
export function useDeleteGroup(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.groups.delete(id),
    onSuccess: () => client.invalidateQueries({ queryKey: groupsQuery.queryKey }),
  })
}
