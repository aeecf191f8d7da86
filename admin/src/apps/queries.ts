import type { Schemas } from '@licet/client'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { Change } from '../ui/forms/editing.tsx'
import { readPage, type Span } from '../ui/lists/pages.ts'

export type AppPermission = Schemas['AppPermission']
export type RegisteredApp = Schemas['RegisteredApp']
export type Webhook = Schemas['Webhook']
export type Delivery = Schemas['Delivery']
export type Event = Schemas['Event']
export type AppInput = Partial<
  Pick<RegisteredApp, 'name' | 'redirect_uris' | 'scopes' | 'developer_email' | 'data_change_sync_url'>
>

export const permissionsQuery = queryOptions({
  queryKey: ['app permissions'],
  queryFn: async ({ signal }) =>
    (await api.request('GET', '/admin/api/app_permissions.json', { signal })).app_permissions,
})

export function useRemoveApp() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: AppPermission) =>
      api.request('DELETE', '/admin/api/app_permissions/{id}.json', { params: { id } }),
    onSuccess: async () => {
      for (const key of ['app permissions', 'apps', 'webhooks']) await client.invalidateQueries({ queryKey: [key] })
    },
  })
}

export const appsQuery = queryOptions({
  queryKey: ['apps', 'list'],
  queryFn: async ({ signal }) => (await api.request('GET', '/admin/api/apps.json', { query: {}, signal })).apps,
})

/** An app with the version that a change names. */
export function appQuery(id: number) {
  return queryOptions({
    queryKey: ['apps', id],
    queryFn: async ({ signal }) => {
      let etag = ''
      const onHeaders = (headers: Headers) => {
        etag = headers.get('etag') ?? ''
      }
      const { app } = await api.request('GET', '/admin/api/apps/{id}.json', { params: { id }, signal, onHeaders })
      return { app, etag }
    },
  })
}

/** A change after which what is known of apps is read again. */
function useAppChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      for (const key of ['apps', 'app permissions', 'webhooks']) await client.invalidateQueries({ queryKey: [key] })
    },
  })
}

export const useCreateApp = () =>
  useAppChange(async (app: AppInput) => (await api.request('POST', '/admin/api/apps.json', { body: { app } })).app)

export const useSaveApp = (id: number) =>
  useAppChange(({ changes, etag }: Change<AppInput>) =>
    api.request('PUT', '/admin/api/apps/{id}.json', {
      params: { id },
      body: { app: changes },
      ...(etag === undefined ? {} : { ifMatch: etag }),
    }),
  )

export const useRotateSecret = (id: number) =>
  useAppChange(
    async (overlap_seconds: number) =>
      (
        await api.request('POST', '/admin/api/apps/{id}/rotate_secret.json', {
          params: { id },
          body: { rotation: { overlap_seconds } },
        })
      ).app.client_secret,
  )

export const useMakeToken = (id: number) =>
  useAppChange((access_token: Schemas['NewAccessToken']) =>
    api.request('POST', '/admin/api/apps/{id}/access_tokens.json', { params: { id }, body: { access_token } }),
  )

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: async ({ signal }) => {
    const found: Webhook[] = []
    for await (const webhook of api.webhooks.list({}, { signal })) found.push(webhook)
    return found
  },
  // How they are changes while somebody looks.
  refetchInterval: 5000,
})

export function useCreateWebhook() {
  return useAppChange((webhook: { app_id: number; topic: string; address: string }) => api.webhooks.create(webhook))
}

export const useChangeWebhook = (id: number) =>
  useAppChange((change: { is_active?: boolean; topic?: string; address?: string }) => api.webhooks.update(id, change))

export const useDeleteWebhook = (id: number) => useAppChange(() => api.webhooks.delete(id))

export const useTestWebhook = (id: number) => useAppChange(() => api.webhooks.test(id, {}))

export type DeliveryState = Delivery['state']

export function deliveriesQuery(webhook: number, state: DeliveryState | undefined, span: Span) {
  const filters = state === undefined ? {} : { state }
  return queryOptions({
    queryKey: ['webhooks', webhook, 'deliveries', filters, span],
    queryFn: ({ signal }) =>
      readPage((page) => api.webhooks.deliveries.list(webhook, { ...filters, ...page }, { signal }), span),
    placeholderData: keepPreviousData,
    // What is on its way arrives while somebody looks.
    refetchInterval: 5000,
  })
}

export const useReplayDelivery = (webhook: number) =>
  useAppChange((id: number) => api.webhooks.deliveries.replay(webhook, id))

export const useReplay = (webhook: number) =>
  useAppChange((replay: Schemas['ReplayInput']) => api.webhooks.replay(webhook, replay))

export function eventsQuery(topic: string | undefined, span: Span) {
  const filters = topic === undefined ? {} : { topic }
  return queryOptions({
    queryKey: ['events', filters, span],
    queryFn: ({ signal }) => readPage((page) => api.events.list({ ...filters, ...page }, { signal }), span),
    placeholderData: keepPreviousData,
  })
}

/** The secret that signs one-time tokens with which customers are signed in; null for those who may not see it. */
export const loginSecretQuery = queryOptions({
  queryKey: ['own company', 'login secret'],
  queryFn: async ({ signal }) =>
    (await api.request('GET', '/admin/api/company.json', { query: { fields: 'external_access_token' }, signal }))
      .company.external_access_token ?? null,
})

export function useLoginLink() {
  return useMutation({
    mutationFn: async (token: string) =>
      (await api.request('POST', '/admin/api/customers/{token}/login_link.json', { params: { token } })).login_link,
  })
}
