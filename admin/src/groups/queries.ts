import { ChangedError, type Schemas } from '@licet/client'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
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

/** Is a version another one only because people have come or gone? That is nobody's change of the group. */
function isOnlyCounted(error: unknown, before: Group | undefined): boolean {
  const body = error instanceof ChangedError ? (error.body as { current?: { group?: Group } }) : {}
  const now = body.current?.group
  if (now === undefined || before === undefined) return false
  return JSON.stringify({ ...now, members: 0 }) === JSON.stringify({ ...before, members: 0 })
}

export function useSaveGroup({ group, etag: version }: { group: Group; etag: string }) {
  const seen = useRef(new Map<string, Group>())
  seen.current.set(version, group)
  return useGroupChange(async ({ changes, etag }: Change<GroupChange>) => {
    try {
      return await api.groups.update(group.id, changes, matching(etag))
    } catch (error) {
      if (!isOnlyCounted(error, seen.current.get(etag ?? ''))) throw error
      return api.groups.update(group.id, changes)
    }
  })
}

/** What is deleted is not read again. */
export function useDeleteGroup(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.groups.delete(id),
    onSuccess: () => client.invalidateQueries({ queryKey: groupsQuery.queryKey }),
  })
}
