import type { Schemas } from '@licet/client'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { Change } from '../ui/forms/editing.tsx'
import { matching, withEtag } from '../with-etag.ts'

export type Plan = Schemas['Plan']
export type PlanInput = Schemas['PlanInput']
export type PlanChange = Schemas['PlanChange']

/** The plans of a group, in the order in which they were made. */
export function plansQuery(group: string) {
  return queryOptions({
    queryKey: ['plans', 'of', group],
    queryFn: async ({ signal }) => {
      const found: Plan[] = []
      for await (const plan of api.plans.list({ group_id: group }, { signal })) found.push(plan)
      return found
    },
  })
}

/** All plans of the company, which are few. */
export const allPlansQuery = queryOptions({
  queryKey: ['plans', 'of', 'all'],
  queryFn: async ({ signal }) => {
    const found: Plan[] = []
    for await (const plan of api.plans.list({}, { signal })) found.push(plan)
    return found
  },
})

/** A plan with the version that a change names. */
export function planQuery(id: number) {
  return queryOptions({
    queryKey: ['plans', 'one', id],
    queryFn: ({ signal }) => withEtag('plan', (onHeaders) => api.plans.get(id, {}, { signal, onHeaders })),
  })
}

/** A change after which the lists of plans are read again. */
function usePlanChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: change, onSuccess: () => client.invalidateQueries({ queryKey: ['plans', 'of'] }) })
}

export const useCreatePlan = () => usePlanChange((plan: PlanInput) => api.plans.create(plan))

export const useSavePlan = (id: number) =>
  usePlanChange(({ changes, etag }: Change<PlanChange>) => api.plans.update(id, changes, matching(etag)))

export const useDeletePlan = (id: number) => usePlanChange(() => api.plans.delete(id))
