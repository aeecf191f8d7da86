import type { Schemas } from '@licet/client'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { WordsSearch } from '../discounts/search.ts'
import type { Change } from '../ui/forms/editing.tsx'
import { readPage, type Span } from '../ui/lists/pages.ts'
import { csvAddress } from '../ui/lists/views.ts'

export type Code = Schemas['RedemptionCode']
export type NewCodes = Schemas['NewRedemptionCodes']
export type CodeChange = Schemas['RedemptionCodeChange']
export type GiftInput = Schemas['GiftInput']

export function codesQuery({ q, ...span }: WordsSearch) {
  const filters = q === undefined ? {} : { q }
  return queryOptions({
    queryKey: ['codes', 'list', filters, span],
    queryFn: ({ signal }) => readPage((page) => api.redemptionCodes.list({ ...filters, ...page }, { signal }), span),
    placeholderData: keepPreviousData,
  })
}

/** A code with the version that a change names. */
export function codeQuery(id: number) {
  return queryOptions({
    queryKey: ['codes', id],
    queryFn: async ({ signal }) => {
      let etag = ''
      const onHeaders = (headers: Headers) => {
        etag = headers.get('etag') ?? ''
      }
      return { code: await api.redemptionCodes.get(id, {}, { signal, onHeaders }), etag }
    },
  })
}

/** Who redeemed a code, newest first. */
export function redemptionsQuery(id: number, span: Span) {
  return queryOptions({
    queryKey: ['codes', id, 'redemptions', span],
    queryFn: ({ signal }) => readPage((page) => api.redemptionCodes.redemptions.list(id, page, { signal }), span),
    placeholderData: keepPreviousData,
  })
}

/** A change after which what is known of codes is read again. */
function useCodeChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ queryKey: ['codes'] }),
  })
}

export const useCreateCodes = () => useCodeChange((codes: NewCodes) => api.redemptionCodes.create(codes))

export const useSaveCode = (id: number) =>
  useCodeChange(({ changes, etag }: Change<CodeChange>) =>
    api.redemptionCodes.update(id, changes, etag === undefined ? {} : { ifMatch: etag }),
  )

export const useStopCode = (id: number) => useCodeChange(() => api.redemptionCodes.delete(id))

export const useGiveCode = (id: number) => useCodeChange((gift: GiftInput) => api.redemptionCodes.gift(id, gift))

export const useCallBack = (id: number) => useCodeChange(() => api.redemptionCodes.callBack(id))

/** Where all codes are as a file for a spreadsheet. */
export const codesCsv = ({ q }: WordsSearch) =>
  csvAddress('/admin/api/redemption_codes.json', q === undefined ? {} : { q })
