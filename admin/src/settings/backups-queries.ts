import type { Schemas } from '@licet/client'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'

export type Backups = Schemas['Backups']
export type Backup = Backups['backups'][number]

const BACKUPS = '/admin/api/backups.json'
const SEEN_MS = 700

export const isUnderWay = ({ run }: Pick<Backups, 'run'>) => run !== null && run.finished_at === null

/** While one is being made, it is read again and again. */
export const backupsQuery = queryOptions({
  queryKey: ['backups'],
  queryFn: async ({ signal }) => (await api.request('GET', BACKUPS, { signal })).backups,
  refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? SEEN_MS : false),
})

export function useStartBackup() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.request('POST', BACKUPS, {}),
    onSuccess: async () => {
      for (const queryKey of [backupsQuery.queryKey, ['attention']]) await client.invalidateQueries({ queryKey })
    },
  })
}
