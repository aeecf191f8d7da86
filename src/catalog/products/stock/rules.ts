import type { Fault } from '#platform/errors/problem.ts'
import { outOfStock } from '../errors.ts'

/** How many items of a product an order line takes out of stock; negative if they come back. */
export type StockChange = { company_id: number; id: number; quantity: number; line: number }

type Stock = { stock: number; floor: number }

export function levelAfter({ stock }: Pick<Stock, 'stock'>, changes: readonly StockChange[]): number {
  return changes.reduce((left, { quantity }) => left - quantity, stock)
}

/** Says why there is not enough in stock; undefined if there is. */
export function objectionToChange({ stock, floor }: Stock, changes: readonly StockChange[]): Fault | undefined {
  if (levelAfter({ stock }, changes) >= floor) return undefined
  return outOfStock(Math.max(0, stock - floor))
}

/** The owner is warned once, when the level is crossed. */
export function crossesWarningLevel(
  { stock, warn_below }: { stock: number; warn_below: number },
  left: number,
): boolean {
  return stock >= warn_below && left < warn_below
}
