import type { Schemas } from '@licet/client'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { readPage } from '../ui/lists/pages.ts'
import type { ReviewsSearch } from './search.ts'

export type Review = Schemas['Review']
export type State = Review['state']

export function reviewsQuery({ state, product, ...span }: ReviewsSearch) {
  const filters = { state: state ?? ('waiting' as const), ...(product === undefined ? {} : { product_id: product }) }
  return queryOptions({
    queryKey: ['reviews', filters, span],
    queryFn: ({ signal }) => readPage((page) => api.reviews.list({ ...filters, ...page }, { signal }), span),
    placeholderData: keepPreviousData,
  })
}

/** The products that reviews are about, by `product_id`. */
export function reviewedQuery(productIds: readonly string[]) {
  const ids = [...new Set(productIds)].sort()
  return queryOptions({
    queryKey: ['products', 'reviewed', ids],
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const found = new Map<string, { id: number; title: string }>()
      const query = { ids: ids.join(), fields: 'id,product_id,title' }
      for await (const { product_id, id, title } of api.products.list(query, { signal })) {
        found.set(product_id, { id, title })
      }
      return found
    },
  })
}

export const decide = (id: number, state: State) => api.reviews.update(id, { state })

export function useDecide() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, state }: { id: number; state: State }) => decide(id, state),
    onSuccess: () => client.invalidateQueries({ queryKey: ['reviews'] }),
  })
}
