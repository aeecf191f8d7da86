import type { Schemas } from '@licet/client'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'

export type PaymentSettings = Schemas['PaymentSettings']

/** A gateway that is connected by a key, such as Stripe. */
export type KeyedGateway = 'stripe' | 'mollie'

const SETTINGS = '/admin/api/payment_settings.json'

export const paymentSettingsQuery = queryOptions({
  queryKey: ['payment settings'],
  queryFn: async ({ signal }) => (await api.request('GET', SETTINGS, { signal })).payment_settings,
})

type Change = {
  manual?: Partial<PaymentSettings['manual']>
  test?: { enabled: boolean }
  stripe?: { enabled?: boolean; secret_key?: string }
  mollie?: { enabled?: boolean; secret_key?: string }
}

export function useChangePayments() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (change: Change) =>
      (await api.request('PUT', SETTINGS, { body: { payment_settings: change } })).payment_settings,
    onSuccess: (settings) => client.setQueryData(paymentSettingsQuery.queryKey, settings),
  })
}

/** Asks a gateway whether it takes a key, and turns it on. Without a key, the stored one is checked again. */
export function useConnect(gateway: KeyedGateway) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (secret_key?: string) =>
      api.request('POST', '/admin/api/gateway_connections.json', {
        body: { gateway_connection: { gateway, ...(secret_key === undefined ? {} : { secret_key }) } },
      }),
    onSuccess: ({ payment_settings }) => client.setQueryData(paymentSettingsQuery.queryKey, payment_settings),
  })
}
