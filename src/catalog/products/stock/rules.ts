import type { Fault } from '#platform/errors/problem.ts'
import { outOfStock } from '../errors.ts'

/** How many items of a product an order line takes out of stock; negative if they come back. */
export type StockChange = { company_id: number; id: number; quantity: number; line: number }

type Stock = { stock: number; floor: number }

/** Of a larger stock, the pages of shops show no more than that there is one. */
export const SHOWN_STOCK_MAX = 99

/** Do the pages of shops show another stock? Sales from a large one must not cost the shop all pages that it keeps. */
export function changesPages({ stock, floor }: Stock, left: number): boolean {
  const shown = (level: number) => Math.min(SHOWN_STOCK_MAX, Math.max(0, level - floor))
  return shown(stock) !== shown(left)
}

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
