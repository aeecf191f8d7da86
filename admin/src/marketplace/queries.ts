import type { Schemas } from '@licet/client'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { Change } from '../ui/forms/editing.tsx'
import { firstPage, readPage } from '../ui/lists/pages.ts'
import type { BrowseSearch, MirrorsSearch } from './search.ts'

export type MarketProduct = Schemas['MarketProduct']
export type Mirror = Schemas['MirroredProduct']
export type Entry = Schemas['MarketplaceEntry']
export type Offer = Schemas['MarketOffer']
export type OfferInput = Schemas['MarketOfferInput']

const ROW = [
  'id',
  'market_id',
  'company_name',
  'cost_to_licensees_percent',
  'title',
  'product_type',
  'src',
  'terms',
  'mirror',
].join()

export function marketProductsQuery({ q, type, market, ...span }: BrowseSearch) {
  const filters = {
    ...(q === undefined ? {} : { q }),
    ...(type === undefined ? {} : { product_type: type }),
    ...(market === undefined ? {} : { market_id: market }),
  }
  return queryOptions({
    queryKey: ['marketplace', 'products', filters, span],
    queryFn: ({ signal }) =>
      readPage((page) => api.marketProducts.list({ ...filters, ...page, fields: ROW }, { signal }), span),
    placeholderData: keepPreviousData,
  })
}

export function marketProductQuery(id: string) {
  return queryOptions({
    queryKey: ['marketplace', 'products', id],
    queryFn: ({ signal }) => api.marketProducts.get(id, {}, { signal }),
  })
}

/** The companies that offer products, the own one too. */
export const entriesQuery = queryOptions({
  queryKey: ['marketplace', 'entries'],
  queryFn: ({ signal }) => firstPage(api.marketplace.list({ limit: 250 }, { signal })),
  staleTime: 60_000,
})

export function mirrorsQuery({ q, state, ...span }: MirrorsSearch) {
  const filters = { ...(q === undefined ? {} : { q }), ...(state === undefined ? {} : { state }) }
  return queryOptions({
    queryKey: ['marketplace', 'mirrors', filters, span],
    queryFn: ({ signal }) => readPage((page) => api.mirroredProducts.list({ ...filters, ...page }, { signal }), span),
    placeholderData: keepPreviousData,
  })
}

/** A change after which what is known of the marketplace and of products is read again. */
function useMarketChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await Promise.all([['marketplace'], ['products']].map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}

type Taking = { id: number; isShown: boolean }

/** Takes a product of another company into the shop. */
export const useTake = () =>
  useMarketChange(({ id, isShown }: Taking) => (isShown ? api.marketProducts.activate(id) : api.marketProducts.add(id)))

/** Takes all products of an entry. */
export const useTakeAll = () =>
  useMarketChange(({ id, isShown }: Taking) => (isShown ? api.marketplace.activate(id) : api.marketplace.add(id)))

export const useShowMirror = () =>
  useMarketChange(({ id, isShown }: Taking) => api.products.update(id, { published: isShown }))

export const useRemoveMirror = () => useMarketChange((id: number) => api.products.delete(id))

/** What the company offers itself, with the version that a change names; null: nothing. */
export const offerQuery = queryOptions({
  queryKey: ['marketplace', 'offer'],
  queryFn: async ({ signal }) => {
    const [found] = await firstPage(api.marketOffers.list({ limit: 1 }, { signal }))
    if (found === undefined) return null
    let etag = ''
    const onHeaders = (headers: Headers) => {
      etag = headers.get('etag') ?? ''
    }
    return { offer: await api.marketOffers.get(found.id, {}, { signal, onHeaders }), etag }
  },
})

export const useMakeOffer = () => useMarketChange((offer: OfferInput) => api.marketOffers.create(offer))

export const useSaveOffer = (id: number) =>
  useMarketChange(({ changes, etag }: Change<OfferInput>) =>
    api.marketOffers.update(id, changes, etag === undefined ? {} : { ifMatch: etag }),
  )

/** What belonged to the offer is not read again. */
export function useWithdrawOffer(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.marketOffers.delete(id),
    onSuccess: () => {
      client.setQueryData(offerQuery.queryKey, null)
      return client.invalidateQueries({ queryKey: entriesQuery.queryKey })
    },
  })
}

/** The companies that sell what is offered. */
export function takersQuery(id: number) {
  return queryOptions({
    queryKey: ['marketplace', 'takers', id],
    queryFn: ({ signal }) => firstPage(api.marketOffers.takers.list(id, { limit: 250 }, { signal })),
  })
}

/** The companies that an offer can be for, as far as they are known. */
export const companiesQuery = queryOptions({
  queryKey: ['marketplace', 'companies'],
  queryFn: ({ signal }) => firstPage(api.marketCompanies.list({ limit: 250 }, { signal })),
})

const SHOWN = 50

/** The own products that others can take, the newest first, and how many there are. */
export function offeredQuery(id: number) {
  return queryOptions({
    queryKey: ['marketplace', 'offered', id],
    queryFn: async ({ signal }) => {
      let total = ''
      const onHeaders = (headers: Headers) => {
        total = headers.get('total-count') ?? ''
      }
      const query = { limit: SHOWN, sort: '-id', total_count: true, fields: 'id,title,product_type' } as const
      const rows = await firstPage(api.marketplace.products(id, query, { signal, onHeaders }))
      return { rows, total }
    },
  })
}
