import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { sessionQuery } from '../../session/session.ts'

const DELETION = '/admin/api/company/deletion.json'

export const deletionQuery = queryOptions({
  queryKey: ['company deletion'],
  queryFn: async ({ signal }) => (await api.request('GET', DELETION, { signal })).company_deletion,
})

type Confirmation = { company_name: string; current_password: string; code?: string }

/** Both change what every screen says above its content. */
function useChanged() {
  const client = useQueryClient()
  return async () => {
    for (const { queryKey } of [deletionQuery, sessionQuery]) await client.invalidateQueries({ queryKey })
  }
}

export function useRequestDeletion() {
  const onSuccess = useChanged()
  return useMutation({
    mutationFn: (company_deletion: Confirmation) => api.request('POST', DELETION, { body: { company_deletion } }),
    onSuccess,
  })
}

export function useCancelDeletion() {
  const onSuccess = useChanged()
  return useMutation({ mutationFn: () => api.request('DELETE', DELETION, {}), onSuccess })
}
