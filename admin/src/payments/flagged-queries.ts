import type { Schemas } from '@licet/client'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { firstPage } from '../ui/lists/pages.ts'

export type Payment = Schemas['Payment']

const KEY = 'flagged payments'
const SHOWN_MAX = 50

/** The payments that the owner has to look at; those of one order, if it is named. */
export function flaggedQuery(orderId?: number) {
  return queryOptions({
    queryKey: [KEY, orderId ?? 'all'],
    staleTime: 0,
    queryFn: ({ signal }) =>
      firstPage(
        api.payments.list(
          { flagged: true, limit: SHOWN_MAX, ...(orderId === undefined ? {} : { order_id: orderId }) },
          { signal },
        ),
      ),
  })
}

/** A change after which what is known of payments, their orders and Home is read again. */
function usePaymentChange(change: (payment: Payment) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      Promise.all([[KEY], ['orders'], ['attention']].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
}

/** Says that somebody has looked at a payment. */
export const useResolve = () => usePaymentChange(({ id }) => api.payments.resolve(id))

/** Asks the gateway again to pay the money of failed refunds back. */
export const useRetryRefunds = () => usePaymentChange(({ order_id }) => api.orders.retryRefunds(order_id))
