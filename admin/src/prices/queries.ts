import type { Schemas } from '@licet/client'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { Change } from '../ui/forms/editing.tsx'
import { csvAddress } from '../ui/lists/views.ts'

export type Price = Schemas['Price']
export type PriceInput = Schemas['PriceInput']
export type PriceChange = Schemas['PriceChange']
export type PriceUse = Schemas['PriceUse']
export type Rounding = 'none' | '99' | '95' | '90' | '49_or_99' | 'whole'
/** As long as servers and proxies take an address. */
const IDS_LENGTH_MAX = 6000
export const ROUNDINGS: readonly Rounding[] = ['none', '99', '95', '90', '49_or_99', 'whole']

/** What each price is used for, by its id. */
export const priceUsesQuery = queryOptions({
  queryKey: ['prices', 'uses'],
  queryFn: async ({ signal }) => {
    const found = new Map<number, PriceUse>()
    for await (const use of api.prices.uses(undefined, { signal })) found.set(use.id, use)
    return found
  },
})

/** Where prices are as a file: those that were found by words, or all. More ids than fit into an address are all of them. */
export function pricesCsv(found: readonly Price[] | undefined): string {
  const ids = found === undefined ? '' : [0, ...found.map(({ id }) => id)].join(',')
  return csvAddress('/admin/api/prices.json', ids === '' || ids.length > IDS_LENGTH_MAX ? {} : { ids })
}

/** A price with the version that a change names. */
export function priceQuery(id: string) {
  return queryOptions({
    queryKey: ['prices', 'one', id],
    queryFn: async ({ signal }) => {
      let etag = ''
      const onHeaders = (headers: Headers) => {
        etag = headers.get('etag') ?? ''
      }
      return { price: await api.prices.get(id, {}, { signal, onHeaders }), etag }
    },
  })
}

/** What customers would pay in some currencies and countries. The service converts, as the shop does. */
export function amountsQuery(price: Pick<PriceInput, 'currencies' | 'countries'> | undefined, currencies: string[]) {
  return queryOptions({
    queryKey: ['price amounts', price, currencies],
    enabled: price !== undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.priceAmounts.create({ price: price ?? {}, currencies }, { signal }),
  })
}

function usePriceChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: change, onSuccess: () => client.invalidateQueries({ queryKey: ['prices'] }) })
}

export const useCreatePrice = () =>
  usePriceChange(
    async (price: PriceInput) => (await api.request('POST', '/admin/api/prices.json', { body: { price } })).price,
  )

export const useSavePrice = (id: number) =>
  usePriceChange(({ changes, etag }: Change<PriceInput>) =>
    api.request('PUT', '/admin/api/prices/{token}.json', {
      params: { token: String(id) },
      body: { price: changes },
      ...(etag === undefined ? {} : { ifMatch: etag }),
    }),
  )

export const useDeletePrice = (id: number) =>
  usePriceChange(() => api.request('DELETE', '/admin/api/prices/{token}.json', { params: { token: String(id) } }))

export type PercentChange = { percent: number; rounding: Rounding; prices: { id: number; etag?: string }[] }

/** What a change by percent would make of each price, with the versions that the change then names. */
export function previewQuery(price_change: PercentChange | undefined) {
  return queryOptions({
    queryKey: ['prices', 'preview', price_change],
    enabled: price_change !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      if (price_change === undefined) throw new Error('nothing is asked')
      const path = '/admin/api/price_changes/preview.json'
      return (await api.request('POST', path, { body: { price_change }, signal })).price_changes
    },
  })
}

export const useChangePrices = () =>
  usePriceChange(
    async (price_change: PercentChange) =>
      (await api.request('POST', '/admin/api/price_changes.json', { body: { price_change } })).price_changes,
  )
