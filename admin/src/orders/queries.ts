import type { Schemas } from '@licet/client'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { readPage } from '../ui/lists/pages.ts'
import { csvAddress, daysBetween } from '../ui/lists/views.ts'
import { matching, withEtag } from '../with-etag.ts'
import { readerLanguage } from '../words/words.ts'
import { type OrdersSearch, VIEWS } from './search.ts'

export type Order = Schemas['Order']
export type LineItem = Order['line_items'][number]
export type RefundInput = Schemas['RefundInput']

function filtersOf({ view = 'all', q, payment, delivery, from, to, product, discount }: OrdersSearch) {
  return {
    ...VIEWS[view],
    ...(q === undefined ? {} : { q }),
    ...(payment === undefined ? {} : { financial_status: payment }),
    ...(delivery === undefined ? {} : { fulfillment_status: delivery }),
    ...(product === undefined ? {} : { product_id: product }),
    ...(discount === undefined ? {} : { discount_code_id: discount }),
    ...daysBetween(from, to),
  }
}

export function ordersQuery(search: OrdersSearch) {
  return queryOptions({
    queryKey: ['orders', 'list', search],
    queryFn: ({ signal }) => readPage((page) => api.orders.list({ ...filtersOf(search), ...page }, { signal }), search),
    placeholderData: keepPreviousData,
  })
}

export function ordersCountQuery(search: OrdersSearch) {
  const filters = filtersOf(search)
  return queryOptions({
    queryKey: ['orders', 'count', filters],
    queryFn: ({ signal }) => api.orders.count(filters, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function orderQuery(id: string) {
  return queryOptions({ queryKey: ['orders', id], queryFn: ({ signal }) => api.orders.get(id, {}, { signal }) })
}

/** What the customer got for an order. */
export function rightsQuery(orderId: number) {
  return queryOptions({
    queryKey: ['orders', String(orderId), 'rights'],
    queryFn: async ({ signal }) => {
      const rights: Schemas['Entitlement'][] = []
      for await (const right of api.entitlements.list({ order_id: orderId, language: readerLanguage() }, { signal }))
        rights.push(right)
      return rights
    },
  })
}

export function invoicesQuery(orderId: number) {
  return queryOptions({
    queryKey: ['orders', String(orderId), 'invoices'],
    queryFn: async ({ signal }) => {
      const invoices: Schemas['Invoice'][] = []
      for await (const invoice of api.orders.invoices.list(orderId, {}, { signal })) invoices.push(invoice)
      return invoices
    },
  })
}

/** What customers have declared by themselves: that they withdraw from the sale. */
export function withdrawalsQuery(orderId: number) {
  return queryOptions({
    queryKey: ['orders', String(orderId), 'withdrawals'],
    queryFn: async ({ signal }) => {
      const withdrawals: Schemas['OrderWithdrawal'][] = []
      for await (const each of api.orders.withdrawals.list(orderId, {}, { signal })) withdrawals.push(each)
      return withdrawals
    },
  })
}

/** What happened to an order, oldest first. */
export function timelineQuery(orderId: number) {
  return queryOptions({
    queryKey: ['orders', String(orderId), 'timeline'],
    queryFn: async ({ signal }) => {
      const entries: Schemas['TimelineEntry'][] = []
      for await (const entry of api.orders.timeline.list(orderId, {}, { signal })) entries.push(entry)
      return entries
    },
  })
}

/** After a change, everything that shows orders is read again: the list, its counts, the order and what it gave. */
function useOrderChange<Input>(change: (input: Input) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: ['orders'] }),
  })
}

export const useRefund = (id: number) => useOrderChange((refund: RefundInput) => api.orders.refunds.create(id, refund))

export const useMarkPaid = (id: number) => useOrderChange(() => api.orders.markPaid(id))

/** The version of the parcel of an order when it was first asked for, whatever is read meanwhile. */
export function useParcelVersion(id: number): string | undefined {
  const [version, setVersion] = useState<string>()
  const { data } = useQuery({
    queryKey: ['parcels', id],
    queryFn: ({ signal }) => withEtag('parcel', (onHeaders) => api.fulfillments.get(id, {}, { signal, onHeaders })),
    gcTime: 0,
  })
  if (version === undefined && data !== undefined) setVersion(data.etag)
  return version
}

export const useShip = (id: number) =>
  useOrderChange(({ tracking, etag }: { tracking: string; etag: string | undefined }) =>
    api.fulfillments.update(id, { status: 100, tracking_number: tracking }, matching(etag)),
  )

export const useCancel = (id: number) => useOrderChange(() => api.orders.delete(id))

export const useConfirmAgain = (id: number) => useOrderChange(() => api.orders.sendConfirmation(id))

export const useAddNote = (id: number) => useOrderChange((text: string) => api.orders.notes.create(id, { text }))

export const useDeleteNote = (id: number) => useOrderChange((note: number) => api.orders.notes.delete(id, note))

/** Where the orders of a view are as a file for a spreadsheet. */
export const ordersCsv = (search: OrdersSearch) => csvAddress('/admin/api/orders.json', filtersOf(search))
