import { createSearchReader, type ListSearch } from '../ui/views.ts'

/** The views of orders, with the filters that make them. */
export const VIEWS = {
  all: {},
  to_ship: { fulfillment_status: 'unshipped' },
  waiting: { financial_status: 'pending' },
  refunded: { financial_status: 'refunded' },
  cancelled: { status: 'cancelled' },
} as const

export type ViewName = keyof typeof VIEWS

export type OrdersSearch = ListSearch<ViewName>

/** Reads from the address which orders are shown. */
export const readOrdersSearch = createSearchReader(VIEWS)
