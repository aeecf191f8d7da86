import { type Span, spanIn, wordsIn } from '../ui/pages.ts'

/** The views of orders, with the filters that make them. */
export const VIEWS = {
  all: {},
  to_ship: { fulfillment_status: 'unshipped' },
  waiting: { financial_status: 'pending' },
  refunded: { financial_status: 'refunded' },
  cancelled: { status: 'cancelled' },
} as const

export type ViewName = keyof typeof VIEWS

export type OrdersSearch = Span & { view?: ViewName; q?: string }

const isView = (value: unknown): value is ViewName => typeof value === 'string' && Object.hasOwn(VIEWS, value)

/** Reads from the address which orders are shown. What makes no sense there is left out. */
export function readOrdersSearch(search: Record<string, unknown>): OrdersSearch {
  const q = wordsIn(search.q)
  return {
    ...(isView(search.view) && search.view !== 'all' ? { view: search.view } : {}),
    ...(q === '' ? {} : { q }),
    ...spanIn(search),
  }
}
