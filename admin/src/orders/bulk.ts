import { api } from '../api.ts'
import type { Work } from '../ui/lists/bulk.ts'
import { problemText } from '../ui/problem.tsx'
import { t } from '../words/words.ts'
import type { Order } from './queries.ts'
import { canShip, isPaid } from './status.tsx'
import { refundedOf } from './words.ts'

/** Does something with an order, unless what is on the screen says already that it makes no sense. */
const workWith =
  (objectionTo: (order: Order) => string | undefined, change: (order: Order) => Promise<unknown>): Work<Order> =>
  async (order) => {
    const objection = objectionTo(order)
    if (objection !== undefined) return objection
    try {
      await change(order)
      return undefined
    } catch (error) {
      return problemText(error)
    }
  }

const ifCancelled = ({ cancelled_at }: Order) => (cancelled_at === null ? undefined : t('orders.bulk.is_cancelled'))

export const shipWork = workWith(
  (order) => ifCancelled(order) ?? (canShip(order) ? undefined : t('orders.bulk.nothing_to_ship')),
  ({ id }) => api.fulfillments.update(id, { status: 100 }),
)

export const confirmWork = workWith(
  (order) => ifCancelled(order) ?? (order.confirmed ? undefined : t('orders.bulk.not_confirmed')),
  ({ id }) => api.orders.sendConfirmation(id),
)

export const payWork = workWith(
  (order) => ifCancelled(order) ?? (isPaid(order) ? t('orders.bulk.paid_already') : undefined),
  ({ id }) => api.orders.markPaid(id),
)

/** What can still be given back of an order. */
export const leftOf = (order: Order): number => (isPaid(order) ? order.total_price - refundedOf(order) : 0)

/** Gives back what is left of an order. The reason is on the credit note. */
export const refundWork = (note: string, restock: boolean) =>
  workWith(
    (order) => (leftOf(order) > 0 ? undefined : t('orders.bulk.nothing_to_refund')),
    ({ id }) => api.orders.refunds.create(id, { all: true, note, restock }),
  )

/** Where the chosen orders are as a file for a spreadsheet. */
export function csvOf(orders: readonly Order[]): string {
  const ids = orders.map(({ id }) => id).join(',')
  return `/admin/api/orders.json?${new URLSearchParams({ ids, format: 'csv' })}`
}

/** Is something of the order packed? What was never paid or was given back is not. */
export const hasParcel = (order: Order): boolean =>
  order.cancelled_at === null && order.line_items.some(({ requires_shipping }) => requires_shipping)

/** Where the packing slips of orders are. */
export const slipsOf = (orders: readonly Order[]): string =>
  `/admin/api/fulfillments/${orders.map(({ id }) => id).join(',')}/packing_slip.pdf`
