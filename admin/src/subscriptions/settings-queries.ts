import type { Schemas } from '@licet/client'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { Change } from '../ui/forms/editing.tsx'
import { matching, withEtag } from '../with-etag.ts'

export type Settings = Schemas['SubscriptionSettings']
export type SettingsChange = Schemas['SubscriptionSettingsInput']

const PATH = '/admin/api/subscription_settings.json'

/** How subscriptions are charged, with the version that a change names. */
export const subscriptionSettingsQuery = queryOptions({
  queryKey: ['subscriptions', 'settings'],
  queryFn: ({ signal }) =>
    withEtag(
      'settings',
      async (onHeaders) => (await api.request('GET', PATH, { signal, onHeaders })).subscription_settings,
    ),
})

export function useSaveSettings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ changes, etag }: Change<SettingsChange>) =>
      (await api.request('PUT', PATH, { body: { subscription_settings: changes }, ...matching(etag) }))
        .subscription_settings,
    onSuccess: () => client.invalidateQueries({ queryKey: subscriptionSettingsQuery.queryKey }),
  })
}
