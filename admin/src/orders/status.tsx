import { Chip } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import type { Order } from './queries.ts'

/** How the payment of an order stands. */
export function PaymentChip({ order }: { order: Order }) {
  // Test money that is there needs no second word; what became of it does.
  if (order.test && order.financial_status === 'paid') return <Chip tone="test">{t('orders.payment.test')}</Chip>
  switch (order.financial_status) {
    case 'paid':
      return <Chip tone="ok">{t('orders.payment.paid')}</Chip>
    case 'partially_refunded':
      return <Chip tone="part">{t('orders.payment.partly_refunded')}</Chip>
    case 'refunded':
      return <Chip tone="draft">{t('orders.payment.refunded')}</Chip>
    default:
      return order.cancelled_at === null ? (
        <Chip tone="wait">{t('orders.payment.waiting')}</Chip>
      ) : (
        <Chip tone="draft">{t('orders.payment.not_paid')}</Chip>
      )
  }
}

/** How the delivery of an order stands. */
export function DeliveryChip({ order }: { order: Order }) {
  if (order.cancelled_at !== null) return <Chip tone="draft">{t('orders.delivery.cancelled')}</Chip>
  if (!isPaid(order)) return <Chip tone="draft">{t('orders.delivery.after_payment')}</Chip>
  switch (order.fulfillment_status) {
    case 'fulfilled':
      return <Chip tone="ok">{t('orders.delivery.delivered')}</Chip>
    case 'partial':
      return <Chip tone="part">{t('orders.delivery.partly')}</Chip>
    default:
      return <Chip tone="wait">{t('orders.delivery.to_ship')}</Chip>
  }
}

/** The gateway of orders that no payment service took money for. */
export const BY_HAND = 'Manual'

export const isPaid = ({ financial_status, confirmed }: Order): boolean =>
  financial_status !== null && (financial_status as string) !== 'pending' && confirmed

/** Does something of the order still have to be sent? */
export function canShip(order: Order): boolean {
  return (
    order.cancelled_at === null &&
    isPaid(order) &&
    order.fulfillment_status !== 'fulfilled' &&
    order.line_items.some((line) => line.requires_shipping)
  )
}
