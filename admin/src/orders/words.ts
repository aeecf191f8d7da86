import { t } from '../words/words.ts'
import type { LineItem, Order } from './queries.ts'

/** Who bought: the name, or the email address of somebody without one. */
export function buyerOf({ customer, email }: Order): string {
  const name = [customer?.first_name, customer?.last_name].filter(Boolean).join(' ')
  return name || email
}

/** What was bought, in one line: the first thing, and how many others there are. Its license is in the buyer's language. */
export function boughtIn({ line_items }: Order): string {
  const [first, ...others] = line_items
  if (first === undefined) return ''
  const title = first.quantity === 1 ? first.title : t('orders.times', { title: first.title, quantity: first.quantity })
  return others.length === 0 ? title : t('orders.and_more', { title, count: others.length })
}

/** How many pieces of a line were given back. */
export function refundedPieces(order: Order, line: LineItem): number {
  return order.refunds
    .flatMap(({ refund_line_items }) => refund_line_items)
    .filter(({ line_item }) => line_item.id === line.id)
    .reduce((sum, { quantity }) => sum + quantity, 0)
}

/** What a line costs with its tax, after discounts. */
export function grossOf({ tax_lines }: LineItem): number {
  return tax_lines.reduce((sum, { price, rate }) => sum + Math.round(price * (1 + rate)), 0)
}

/** What was given back of an order. */
export function refundedOf({ refunds }: Order): number {
  return refunds.flatMap(({ transactions }) => transactions).reduce((sum, { amount }) => sum + amount, 0)
}
