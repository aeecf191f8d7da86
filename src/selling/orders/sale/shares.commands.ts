import { smallestCents } from '#catalog/currency-rates/currencies.facts.ts'
import type { Tx } from '#platform/db/database.ts'
import { type Booking, book } from '#selling/ledger/commands.ts'
import type { ReturnedLine } from '../lines/rules.ts'
import type { OrderLineState, OrderState } from '../state.ts'
import { nextPart } from './totals.rules.ts'

type Booked = Pick<OrderState, 'company_id' | 'id' | 'currency' | 'test' | 'lines'>

/** Nothing is booked for a line that is not a mirrored product. */
function bookingOf(
  order: Booked,
  line: OrderLineState,
  { kind, refundId, quantity, cents }: Pick<Booking, 'kind' | 'refundId' | 'quantity' | 'cents'>,
): Booking[] {
  if (line.owner_id === null) return []
  const booking = {
    sellerId: order.company_id,
    ownerId: line.owner_id,
    orderId: order.id,
    lineItemId: line.id,
    refundId,
    kind,
    productId: line.product_id,
    title: line.title,
    quantity,
    percent: line.share_percent ?? 0,
    cents,
    currency: order.currency,
  }
  return [booking]
}

/** Books what the owners of mirrored products get for a sale. A test is no sale. */
export async function bookSale(tx: Tx, order: Booked, now: Date): Promise<void> {
  if (order.test) return
  const bookings = order.lines.flatMap((line) =>
    bookingOf(order, line, { kind: 'sale', refundId: null, quantity: line.quantity, cents: line.share_cents }),
  )
  await book(tx, bookings, now)
}

/** Books shares back for refunded items. Several partial refunds add up to exactly what was booked. */
export async function bookBack(
  tx: Tx,
  order: Booked,
  given: readonly ReturnedLine[],
  reason: { kind: 'refund' | 'cancellation'; refundId: number | null },
  now: Date,
): Promise<void> {
  if (order.test) return
  const step = smallestCents(order.currency)
  const bookings = given
    .filter(({ quantity }) => quantity > 0)
    .flatMap(({ line, quantity }) => {
      const cents = -nextPart(line.share_cents, line.refunded_quantity, quantity, line.quantity, step)
      return bookingOf(order, line, { ...reason, quantity, cents })
    })
  await book(tx, bookings, now)
}
