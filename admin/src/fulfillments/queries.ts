import type { Schemas } from '@licet/client'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { firstPage, type ListPage, ROWS, readPage, type Span } from '../ui/lists/pages.ts'
import { withEtag } from '../with-etag.ts'
import type { FulfillmentsSearch } from './search.ts'

export type Fulfillment = Schemas['Fulfillment']
export type FulfillmentInput = Schemas['FulfillmentInput']

export const SHIPPED = 100

/** Whoever has waited longest comes first: the page before has the older ones. */
async function readOldestFirst({ before, after }: Span, signal: AbortSignal): Promise<ListPage<Fulfillment>> {
  const isBack = before !== undefined
  const rows = await firstPage(
    api.fulfillments.open(
      isBack
        ? { limit: ROWS + 1, sort: '-id', before_id: before }
        : { limit: ROWS + 1, sort: 'id', ...(after === undefined ? {} : { since_id: after }) },
      { signal },
    ),
  )
  const hasMore = rows.length > ROWS
  const shown = rows.slice(0, ROWS)
  if (isBack) return { rows: shown.reverse(), hasOlder: hasMore, hasNewer: true }
  return { rows: shown, hasOlder: after !== undefined, hasNewer: hasMore }
}

/** What is to be packed, or what was shipped. */
export function fulfillmentsQuery({ view, ...span }: FulfillmentsSearch) {
  return queryOptions({
    queryKey: ['fulfillments', 'list', view ?? 'open', span],
    queryFn: ({ signal }) =>
      view === undefined
        ? readOldestFirst(span, signal)
        : readPage((page) => api.fulfillments.complete(page, { signal }), span),
    placeholderData: keepPreviousData,
  })
}

/** A parcel with the version that a change names. */
export function fulfillmentQuery(id: number) {
  return queryOptions({
    queryKey: ['fulfillments', id],
    queryFn: ({ signal }) => withEtag('parcel', (onHeaders) => api.fulfillments.get(id, {}, { signal, onHeaders })),
  })
}

/** Ships a parcel, or changes its tracking. Orders say the same, so they are read again, too. */
export function useChangeFulfillment() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, etag, ...input }: FulfillmentInput & { id: number; etag: string }) =>
      api.fulfillments.update(id, input, { ifMatch: etag }),
    onSuccess: async () => {
      for (const key of ['fulfillments', 'orders']) await client.invalidateQueries({ queryKey: [key] })
    },
  })
}

/** Where the packing slips of parcels are. */
export const slipsOf = (parcels: readonly Fulfillment[]): string =>
  `/admin/api/fulfillments/${parcels.map(({ id }) => id).join(',')}/packing_slip.pdf`
