import type { Schemas } from '@licet/client'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { readPage } from '../ui/pages.ts'
import { type ProductsSearch, VIEWS } from './search.ts'

export type Product = Schemas['Product']
export type Price = Schemas['Price']

const filtersOf = ({ view = 'all', q }: ProductsSearch) => ({ ...VIEWS[view], ...(q === undefined ? {} : { q }) })

export function productsQuery(search: ProductsSearch) {
  return queryOptions({
    queryKey: ['products', 'list', search],
    queryFn: ({ signal }) =>
      readPage((page) => api.products.list({ ...filtersOf(search), ...page }, { signal }), search),
    placeholderData: keepPreviousData,
  })
}

export function productsCountQuery(search: ProductsSearch) {
  const filters = filtersOf(search)
  return queryOptions({
    queryKey: ['products', 'count', filters],
    queryFn: ({ signal }) => api.products.count(filters, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** The prices of the company, by their ids: products name them. */
export const pricesQuery = queryOptions({
  queryKey: ['prices'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const found = new Map<number, Price>()
    for await (const price of api.prices.list({}, { signal })) found.set(price.id, price)
    return found
  },
})

/** Shows a product in the shop, or hides it. */
export function usePublish() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, published }: { id: number; published: boolean }) => api.products.update(id, { published }),
    onSettled: () => client.invalidateQueries({ queryKey: ['products'] }),
  })
}
