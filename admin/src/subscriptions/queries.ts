import type { Schemas } from '@licet/client'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { firstPage, readPage, type Span } from '../ui/lists/pages.ts'
import { csvAddress } from '../ui/lists/views.ts'
import { withEtag } from '../with-etag.ts'
import type { SubscriptionsSearch } from './search.ts'

export type Subscription = Schemas['Subscription']
export type SubscriptionInput = Schemas['SubscriptionInput']
export type Period = Schemas['SubscriptionPeriod']
export type Entry = Schemas['SubscriptionEntry']
export type When = Schemas['PlannedChange']['at']

function filtersOf({ q, state, group, plan }: SubscriptionsSearch) {
  return {
    ...(q === undefined ? {} : { q }),
    ...(state === undefined ? {} : { status: state }),
    ...(group === undefined ? {} : { group_id: group }),
    ...(plan === undefined ? {} : { plan_id: plan }),
  }
}

export function subscriptionsQuery(search: SubscriptionsSearch) {
  return queryOptions({
    queryKey: ['subscriptions', 'list', search],
    queryFn: ({ signal }) =>
      readPage((page) => api.subscriptions.list({ ...filtersOf(search), ...page }, { signal }), search),
    placeholderData: keepPreviousData,
  })
}

export function subscriptionsCountQuery(search: SubscriptionsSearch) {
  const filters = filtersOf(search)
  return queryOptions({
    queryKey: ['subscriptions', 'count', filters],
    queryFn: ({ signal }) => api.subscriptions.count(filters, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** Where those that are shown are as a file. */
export const subscriptionsCsv = (search: SubscriptionsSearch) =>
  csvAddress('/admin/api/subscriptions.json', filtersOf(search))

const OF_MAX = 6

/** The newest subscriptions of a customer, to a group, or with an order: one more than are shown. */
export function subscriptionsOfQuery(of: { customer_token: string } | { group_id: string } | { order_id: number }) {
  return queryOptions({
    queryKey: ['subscriptions', 'of', of],
    queryFn: ({ signal }) => firstPage(api.subscriptions.list({ ...of, limit: OF_MAX, sort: '-id' }, { signal })),
  })
}

/** A subscription with the version that a change names. */
export function subscriptionQuery(id: string) {
  return queryOptions({
    queryKey: ['subscriptions', 'one', id],
    queryFn: ({ signal }) =>
      withEtag('subscription', (onHeaders) => api.subscriptions.get(id, {}, { signal, onHeaders })),
  })
}

export type Read = { subscription: Subscription; etag: string }

const PERIODS = 10

export function periodsQuery(id: number, span: Span) {
  return queryOptions({
    queryKey: ['subscriptions', 'one', String(id), 'periods', span],
    queryFn: ({ signal }) => readPage((page) => api.subscriptions.periods.list(id, page, { signal }), span, PERIODS),
    placeholderData: keepPreviousData,
  })
}

export function timelineOfQuery(id: number, span: Span) {
  return queryOptions({
    queryKey: ['subscriptions', 'one', String(id), 'timeline', span],
    queryFn: ({ signal }) => readPage((page) => api.subscriptions.timeline.list(id, page, { signal }), span),
    placeholderData: keepPreviousData,
  })
}

/** What a change of plan would cost. It is asked again whenever somebody looks, because it changes with every second. */
export function planChangeQuery(id: number, plan_id: number, at: When) {
  return queryOptions({
    queryKey: ['subscriptions', 'change', id, plan_id, at],
    queryFn: ({ signal }) => api.subscriptions.planChange(id, { plan_id, at }, { signal }),
    gcTime: 0,
    enabled: plan_id > 0,
  })
}

/** A change after which everything that is known of subscriptions is read again. */
export function useSubscriptionChange<Input>(change: (input: Input) => Promise<Subscription>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ queryKey: ['subscriptions'] }),
  })
}
