import type { Schemas } from '@licet/client'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { lineOf } from '../products/offer.tsx'
import type { Product } from '../products/queries.ts'
import { readPage, type Span } from '../ui/lists/pages.ts'
import { csvAddress, daysBetween } from '../ui/lists/views.ts'
import { readerLanguage } from '../words/words.ts'
import type { CustomersSearch } from './search.ts'

export type Customer = Schemas['Customer']

const filtersOf = ({ q, state, from, to }: CustomersSearch) => ({
  ...(q === undefined ? {} : { q }),
  ...(state === undefined ? {} : { state }),
  ...daysBetween(from, to),
})

export function customersQuery(search: CustomersSearch) {
  return queryOptions({
    queryKey: ['customers', 'list', search],
    queryFn: ({ signal }) =>
      readPage((page) => api.customers.list({ ...filtersOf(search), ...page }, { signal }), search),
    placeholderData: keepPreviousData,
  })
}

/** Where the customers that are shown are as a file. */
export const customersCsv = (search: CustomersSearch) => csvAddress('/admin/api/customers.json', filtersOf(search))

export function customersCountQuery(search: CustomersSearch) {
  const filters = filtersOf(search)
  return queryOptions({
    queryKey: ['customers', 'count', filters],
    queryFn: ({ signal }) => api.customers.count(filters, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function customerQuery(token: string) {
  return queryOptions({
    queryKey: ['customers', token],
    queryFn: ({ signal }) => api.customers.get(token, {}, { signal }),
  })
}

const OWNED_SHOWN = 20

/** What a customer owns, the newest first. */
export function ownedQuery(token: string, span: Span) {
  return queryOptions({
    queryKey: ['customers', token, 'rights', span],
    queryFn: ({ signal }) =>
      readPage(
        (page) => api.entitlements.list({ customer_token: token, language: readerLanguage(), ...page }, { signal }),
        span,
        OWNED_SHOWN,
      ),
    placeholderData: keepPreviousData,
  })
}

/** The orders of a customer, newest first. */
/** The page of a customer has more to show than orders. */
const ORDERS_SHOWN = 10

export function ordersOfQuery(token: string, span: Span) {
  return queryOptions({
    queryKey: ['orders', 'of', token, span],
    queryFn: ({ signal }) =>
      readPage((page) => api.orders.list({ customer_token: token, ...page }, { signal }), span, ORDERS_SHOWN),
    placeholderData: keepPreviousData,
  })
}

/** What a customer was refused lately. */
export function refusalsQuery(token: string) {
  return queryOptions({
    queryKey: ['customers', token, 'refusals'],
    queryFn: ({ signal }) => readPage((page) => api.customers.refusals.list(token, page, { signal }), {}),
  })
}

export function devicesQuery(token: string) {
  return queryOptions({
    queryKey: ['customers', token, 'devices'],
    queryFn: ({ signal }) => readPage((page) => api.customers.devices.list(token, page, { signal }), {}),
  })
}

/** What reading apps got for something that a customer owns. */
export function readingLicensesQuery(token: string, rightId: number) {
  return queryOptions({
    queryKey: ['customers', token, 'reading-licenses', rightId],
    queryFn: ({ signal }) =>
      readPage((page) => api.entitlements.readingLicenses.list(rightId, page, { signal }), {}, OWNED_SHOWN),
  })
}

/** What devices got that play it without a connection. */
export function deviceLicensesQuery(token: string, rightId: number) {
  return queryOptions({
    queryKey: ['customers', token, 'device-licenses', rightId],
    queryFn: ({ signal }) =>
      readPage((page) => api.entitlements.deviceLicenses.list(rightId, page, { signal }), {}, OWNED_SHOWN),
  })
}

export type Action = Schemas['Refusal']['action']

/** Why the engine allows or refuses something, rule by rule. */
export function explanationQuery(rightId: number, action: Action, device: string) {
  return queryOptions({
    queryKey: ['entitlements', rightId, 'explain', action, device],
    queryFn: ({ signal }) =>
      api.entitlements.explain(
        rightId,
        { action, language: readerLanguage(), ...(device === '' ? {} : { device }) },
        { signal },
      ),
  })
}

function useCustomerChange<Input>(token: string, change: (input: Input) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: ['customers', token] }),
  })
}

export const useRevoke = (token: string) => useCustomerChange(token, (id: number) => api.entitlements.revoke(id))

export const useRestore = (token: string) => useCustomerChange(token, (id: number) => api.entitlements.restore(id))

type Extension = Schemas['ExtensionInput']

export const useExtend = (token: string) =>
  useCustomerChange(token, ({ id, extension }: { id: number; extension: Extension }) =>
    api.entitlements.extensions.create(id, extension),
  )

type Gift = { product: Product; offer: number; reason: string; notify: boolean }

/** A gift is an order that costs nothing. */
export function useGive(token: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ product, offer, reason, notify }: Gift) =>
      api.orders.create({
        customer_token: token,
        line_items: [lineOf(product, offer, 1)],
        free_reason: reason,
        customer_notification: notify ? 1 : 0,
      }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['customers', token] }),
        client.invalidateQueries({ queryKey: ['orders'] }),
      ]),
  })
}

export const useMailLink = (token: string) =>
  useCustomerChange(token, () =>
    api.request('POST', '/admin/api/customers/{token}/send_sign_in_link.json', { params: { token } }),
  )

export const useLoginLink = (token: string) =>
  useMutation({
    mutationFn: async () =>
      (await api.request('POST', '/admin/api/customers/{token}/login_link.json', { params: { token } })).login_link,
  })

/** What the company knows of a customer, as a file. */
export const useExport = (token: string) =>
  useMutation({
    mutationFn: () => api.request('POST', '/admin/api/customers/{token}/export.json', { params: { token } }),
  })

export const useSetState = (token: string) =>
  useCustomerChange(token, (state: 'enabled' | 'disabled') =>
    api.request('PUT', '/admin/api/customers/{token}/state.json', { params: { token }, body: { customer: { state } } }),
  )

export const useRemoveDevice = (token: string) =>
  useCustomerChange(token, (id: number) => api.customers.devices.delete(token, id))

export const useSaveNote = (token: string) =>
  useCustomerChange(token, (note: string) => api.customers.update(token, { note }))

/** After that nothing of the customer can be read any more, so nothing is read again but the lists. */
export function useErase(token: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.customers.delete(token),
    onSuccess: () => {
      client.removeQueries({ queryKey: ['customers', token] })
      return client.invalidateQueries({ queryKey: ['customers', 'list'] })
    },
  })
}
