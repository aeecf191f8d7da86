import { idIn } from '../ui/lists/pages.ts'
import { createSearchReader, dayIn, type ListSearch, oneIn } from '../ui/lists/views.ts'

/** The views of orders, with the filters that make them. */
export const VIEWS = {
  all: {},
  to_ship: { fulfillment_status: 'unshipped' },
  waiting: { financial_status: 'pending' },
  refunded: { financial_status: 'refunded' },
  cancelled: { status: 'cancelled' },
} as const

export type ViewName = keyof typeof VIEWS

export const PAYMENTS = ['paid', 'pending', 'partially_refunded', 'refunded'] as const
export const DELIVERIES = ['unshipped', 'partial', 'fulfilled'] as const

/** The filters of orders that the address keeps beside the view and the words. Days are those of the reader. */
export type OrdersFilters = {
  payment?: (typeof PAYMENTS)[number]
  delivery?: (typeof DELIVERIES)[number]
  from?: string
  to?: string
  /** A product that was bought, by its `product_id`. */
  product?: string
  /** A discount code that was used, by its id. */
  discount?: number
}

export type OrdersSearch = ListSearch<ViewName> & OrdersFilters

const readList = createSearchReader(VIEWS)

const readProduct = (value: unknown) => (typeof value === 'string' && /^[\w-]{1,50}$/.test(value) ? value : undefined)

/** Reads from the address which orders are shown. What makes no sense is left out. */
export function readOrdersSearch(search: Record<string, unknown>): OrdersSearch {
  const filters = {
    payment: oneIn(PAYMENTS, search.payment),
    delivery: oneIn(DELIVERIES, search.delivery),
    from: dayIn(search.from),
    to: dayIn(search.to),
    product: readProduct(search.product),
    discount: idIn(search.discount),
  }
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return { ...readList(search), ...Object.fromEntries(given) }
}

/** Reads from the address for whom a new order is made. */
export function readNewOrderSearch({ customer }: Record<string, unknown>): { customer?: string } {
  return typeof customer === 'string' && /^[A-Z]{16}$/.test(customer) ? { customer } : {}
}
