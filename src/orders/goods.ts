import { randomCapitals } from '#platform/crypto.ts'
import type { Tx } from '#platform/db/database.ts'
import { FieldReport } from '#platform/problem.ts'
import { keyOf, putBack, takeStock } from '#products/stock/commands.ts'
import { goodsBack } from './lines/rules.ts'
import { warnOfLowStock } from './mails/commands.ts'
import type { OrderLineState } from './state.ts'

/** A code that somebody can type from paper. */
export function randomCode(): string {
  return randomCapitals(16).replace(/(.{4})(?!$)/g, '$1-')
}

/** Where the goods of a line lie: those of a mirrored product with its owner. */
function takingOf(line: OrderLineState, quantity: number) {
  return {
    company_id: line.owner_id ?? line.company_id,
    id: line.original_key ?? line.product_key,
    quantity,
    line: line.position,
  }
}

/** Takes the goods of an order out of their stocks, if they are managed, and tells whoever wants to know that few are left. */
export async function takeGoods(tx: Tx, lines: OrderLineState[], now: Date): Promise<OrderLineState[]> {
  const goods = lines.filter(({ kind }) => kind === 'physical')
  if (goods.length === 0) return lines
  const takings = goods.map((line) => takingOf(line, line.quantity))
  const { managed, low } = await takeStock(tx, takings, new FieldReport(), now)
  await warnOfLowStock(tx, low, now)
  return lines.map((line) =>
    line.kind === 'physical' && managed.has(keyOf(takingOf(line, 0))) ? { ...line, stock_taken: line.quantity } : line,
  )
}

/** So many of a line's goods, at most as many as were taken, go back to where they came from. */
export type Return = { line: OrderLineState; quantity: number }

export async function returnGoods(tx: Tx, returns: readonly Return[], now: Date): Promise<void> {
  const back = returns.map(({ line, quantity }) => takingOf(line, goodsBack(line, quantity)))
  if (back.some(({ quantity }) => quantity > 0)) await putBack(tx, back, now)
}
