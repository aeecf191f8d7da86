import type { Schemas } from '@licet/client'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { readPage } from '../ui/lists/pages.ts'
import type { KeysSearch } from './search.ts'

export type KeyStock = Schemas['KeyStock']
export type ListedKey = Schemas['ListedKey']

/** The programs for which keys were imported. */
export const stocksQuery = queryOptions({
  queryKey: ['keys', 'stocks'],
  queryFn: async ({ signal }) => {
    const found: KeyStock[] = []
    for await (const stock of api.softwareKeys.list({}, { signal })) found.push(stock)
    return found
  },
})

export function keysQuery(product: string, { state, ...span }: KeysSearch) {
  const filters = state === undefined ? {} : { state }
  return queryOptions({
    queryKey: ['keys', product, filters, span],
    queryFn: ({ signal }) =>
      readPage((page) => api.products.keys.list(product, { ...filters, ...page }, { signal }), span),
    placeholderData: keepPreviousData,
  })
}

/** A change after which what is known of keys is read again. */
function useKeyChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys'] }),
  })
}

export const useImportKeys = () =>
  useKeyChange(({ product, keys }: { product: string; keys: string[] }) => api.products.keys.create(product, { keys }))

export const useDeleteKey = (product: string) => useKeyChange((id: number) => api.products.keys.delete(product, id))
