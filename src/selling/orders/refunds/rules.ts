import { smallestCents } from '#catalog/currency-rates/currencies.facts.ts'
import { entryRepeated } from '#platform/errors/faults.ts'
import { type Fault, FieldReport } from '#platform/errors/problem.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { zip } from '#platform/wire/zip.ts'
import type { ReturnedLine } from '../lines/rules.ts'
import { fulfillmentStatus, isShipped, MANUAL } from '../rules.ts'
import { nextPart, spread, sum } from '../sale/totals.rules.ts'
import type { FinancialStatus, OrderLineState, OrderState } from '../state.ts'
import {
  allIsAll,
  amountNotPayable,
  lineRefunded,
  lineUnknown,
  nothingLeft,
  orderNotPaid,
  quantityTooLarge,
  refundEmpty,
  refundTooLarge,
  refundUnclear,
} from './errors.ts'
import type { RefundInput } from './schema.ts'
import type { RefundSource, RefundState } from './state.ts'

/** The lines that a refund takes back, each with its part of the amount. */
export type RefundPlan = { given: (ReturnedLine & { cents: number })[]; cents: number; homeCents: number }

/** Plans a refund, or throws if it is not possible. Everything that is left is refunded only if the body says so. */
export function planRefund(order: OrderState, input: RefundInput): RefundPlan {
  const left = order.total_cents - order.refunded_cents
  const rest = order.lines
    .map((line) => ({ line, quantity: notYetRefunded(line) }))
    .filter(({ quantity }) => quantity > 0)
  if (order.financial_status === 'pending') throw orderNotPaid(order.id)
  if (left === 0 && rest.length === 0) throw nothingLeft(order.id)
  const report = new FieldReport()
  reportUnstorable({ note: input.note }, report)
  const { refund_line_items: sent, amount, all: isAll = false } = input
  if (isAll && (sent != null || amount != null)) report.add('all', allIsAll())
  if (!isAll && sent == null && amount == null) report.add('all', refundUnclear())
  const given = isAll ? rest : chooseLines(order, sent ?? [], report)
  const step = smallestCents(order.currency)
  const costs = given.map((part) => costOf(part, step))
  const cents = amount ?? (isAll ? left : Math.min(sum(costs), left))
  if (cents > left) report.add('amount', refundTooLarge(left))
  if (cents % step !== 0) report.add('amount', amountNotPayable(order.currency))
  if (sent?.length === 0 && amount == null)
    report.add('refund_line_items', refundEmpty('are none, and there is no amount'))
  if (amount === 0 && given.length === 0) report.add('amount', refundEmpty('is nothing, and there are no line items'))
  report.throwIfAny()
  // An amount beyond the lines is for shipping or goodwill, and belongs to no line.
  const shares = spread(Math.min(cents, sum(costs)) / step, costs).map((steps) => steps * step)
  return {
    given: zip(given, shares).map(([line, cents]) => ({ ...line, cents })),
    cents,
    homeCents: nextPart(order.home_cents, order.refunded_cents, cents, order.total_cents),
  }
}

function notYetRefunded({ quantity, refunded_quantity }: OrderLineState): number {
  return quantity - refunded_quantity
}

/**
 * The cost of some items of a line with tax, after discounts. Several partial refunds add up to exactly what was paid.
 */
function costOf({ line, quantity }: ReturnedLine, step: number): number {
  return nextPart(line.list_cents - line.discount_cents, line.refunded_quantity, quantity, line.quantity, step)
}

function chooseLines(
  { lines }: OrderState,
  sent: readonly { line_item_id: number; quantity?: number }[],
  report: FieldReport,
): ReturnedLine[] {
  const seen = new Set<number>()
  return sent.flatMap(({ line_item_id, quantity }, index) => {
    const refuse = (field: string, fault: Fault) => {
      report.add(`refund_line_items[${index}].${field}`, fault)
      return []
    }
    const line = lines.find(({ id }) => id === line_item_id)
    if (line === undefined) return refuse('line_item_id', lineUnknown())
    if (seen.has(line.id)) return refuse('line_item_id', entryRepeated())
    seen.add(line.id)
    const left = notYetRefunded(line)
    if (left === 0) return refuse('line_item_id', lineRefunded())
    if (quantity !== undefined && quantity > left) return refuse('quantity', quantityTooLarge(left))
    return { line, quantity: quantity ?? left }
  })
}

export function newRefund(
  order: OrderState,
  input: RefundInput,
  plan: RefundPlan,
  { id, takeId, source, now }: { id: number; takeId: () => number; source: RefundSource; now: Date },
): RefundState {
  return {
    company_id: order.company_id,
    id,
    order_id: order.id,
    note: input.note ?? null,
    restock: input.restock ?? false,
    amount_cents: plan.cents,
    home_cents: plan.homeCents,
    lines: plan.given.map(({ line, quantity, cents }) => ({ id: takeId(), line_item_id: line.id, quantity, cents })),
    transaction_id: takeId(),
    source_name: source,
    // Only a gateway has to be asked. Otherwise the seller pays back.
    status: order.gateway === MANUAL.gateway || plan.cents === 0 ? 'success' : 'pending',
    created_at: now,
  }
}

/** The order after a refund, including the refund. */
export function refundOrder(before: OrderState, refund: RefundState, { given }: RefundPlan, now: Date): OrderState {
  const partOf = new Map(given.map((part) => [part.line.id, part]))
  const lines = before.lines.map((line) => {
    const part = partOf.get(line.id)
    if (part === undefined) return line
    return {
      ...line,
      refunded_quantity: line.refunded_quantity + part.quantity,
      refunded_cents: line.refunded_cents + part.cents,
    }
  })
  const refunded_cents = before.refunded_cents + refund.amount_cents
  const financial_status = statusOf({ ...before, lines, refunded_cents })
  return {
    ...before,
    lines,
    refunds: [...before.refunds, refund],
    refunded_cents,
    home_refunded_cents: before.home_refunded_cents + refund.home_cents,
    financial_status,
    fulfillment_status: fulfillmentStatus({ lines, financial_status, isShipped: isShipped(before) }),
    updated_at: now,
  }
}

/** The refunded amount decides; for a free order, the refunded lines do. */
function statusOf({
  total_cents,
  refunded_cents,
  lines,
}: Pick<OrderState, 'total_cents' | 'refunded_cents' | 'lines'>): FinancialStatus {
  const parts =
    total_cents > 0
      ? { back: refunded_cents, of: total_cents }
      : {
          back: sum(lines.map(({ refunded_quantity }) => refunded_quantity)),
          of: sum(lines.map(({ quantity }) => quantity)),
        }
  if (parts.back === 0) return 'paid'
  return parts.back === parts.of ? 'refunded' : 'partially_refunded'
}
