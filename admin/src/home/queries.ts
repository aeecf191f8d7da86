import { queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'
import { VIEWS } from '../orders/search.ts'

export type Period = 'today' | 'last_7_days' | 'last_30_days'

export function overviewQuery(companyId: number) {
  return queryOptions({
    queryKey: ['statistics', 'overview', companyId],
    queryFn: ({ signal }) => api.statistics.overview.get(companyId, undefined, { signal }),
  })
}

/** How many things wait for the owner. */
export const attentionQuery = queryOptions({
  queryKey: ['orders', 'attention'],
  queryFn: async ({ signal }) => {
    const [toShip, unpaid, unfinished] = await Promise.all([
      api.orders.count(VIEWS.to_ship, { signal }),
      api.orders.count(VIEWS.waiting, { signal }),
      api.products.count({ published_status: 'unpublished' }, { signal }),
    ])
    return { toShip, unpaid, unfinished }
  },
})
