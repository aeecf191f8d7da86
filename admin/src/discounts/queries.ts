import type { Schemas } from '@licet/client'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { Change } from '../ui/forms/editing.tsx'
import { readPage } from '../ui/lists/pages.ts'
import type { WordsSearch } from './search.ts'

export type Discount = Schemas['DiscountCode']
export type DiscountInput = Schemas['DiscountCodeInput']
export type DiscountChange = Schemas['DiscountCodeChange']

export function discountsQuery({ q, ...span }: WordsSearch) {
  const filters = q === undefined ? {} : { q }
  return queryOptions({
    queryKey: ['discounts', 'list', filters, span],
    queryFn: ({ signal }) => readPage((page) => api.discountCodes.list({ ...filters, ...page }, { signal }), span),
    placeholderData: keepPreviousData,
  })
}

/** A discount with the version that a change names. */
export function discountQuery(id: number) {
  return queryOptions({
    queryKey: ['discounts', id],
    queryFn: async ({ signal }) => {
      let etag = ''
      const onHeaders = (headers: Headers) => {
        etag = headers.get('etag') ?? ''
      }
      return { discount: await api.discountCodes.get(id, {}, { signal, onHeaders }), etag }
    },
  })
}

/** A change after which what is known of discounts is read again. */
function useDiscountChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ queryKey: ['discounts'] }),
  })
}

export const useCreateDiscount = () =>
  useDiscountChange((discount: DiscountInput) => api.discountCodes.create(discount))

export const useSaveDiscount = (id: number) =>
  useDiscountChange(({ changes, etag }: Change<DiscountChange>) =>
    api.discountCodes.update(id, changes, etag === undefined ? {} : { ifMatch: etag }),
  )

/** What is deleted is not read again. */
export function useDeleteDiscount(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.discountCodes.delete(id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['discounts', 'list'] }),
  })
}
