import { taxesOfShipping } from '../rules.ts'
import { netOf, spread, sum } from '../sale/totals.rules.ts'
import type { OrderState } from '../state.ts'
import type { RefundPlan } from './rules.ts'

export type AtRate = { rate: number; cents: number }

/** Money that is given back beyond the lines of an order, such as shipping or goodwill: it has the tax rates of the order. */
export function beyondLines(order: OrderState, cents: number): AtRate[] {
  const costs = costsByRate(order)
  const shares = spread(
    cents,
    costs.map((cost) => cost.cents),
  )
  return costs.map(({ rate }, index) => ({ rate, cents: shares[index] ?? 0 })).filter((share) => share.cents > 0)
}

/** What an order costs with its tax, by tax rate, the highest first. */
function costsByRate({ lines, shipping_lines }: OrderState): AtRate[] {
  const parts = [
    ...lines.map(({ tax_rate, net_cents, tax_cents }) => ({ rate: tax_rate, cents: net_cents + tax_cents })),
    ...shipping_lines.flatMap(taxesOfShipping).map(({ rate, net, tax }) => ({ rate, cents: net + tax })),
  ]
  return [...Map.groupBy(parts, ({ rate }) => rate)]
    .map(([rate, ofRate]) => ({ rate, cents: sum(ofRate.map(({ cents }) => cents)) }))
    .sort((one, other) => other.rate - one.rate)
}

/** How much of a refund is tax, as its credit note says it. */
export function taxOfRefund(order: OrderState, { given, cents }: RefundPlan): number {
  const ofLines = given.map((part) => ({ rate: part.line.tax_rate, cents: part.cents }))
  const rest = cents - sum(ofLines.map((part) => part.cents))
  return sum([...ofLines, ...beyondLines(order, rest)].map((part) => part.cents - netOf(part.cents, part.rate)))
}
