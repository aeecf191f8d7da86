import { emptyRelation } from '#people/customers/rules.ts'
import type { Db } from '#platform/db/database.ts'
import { Problem } from '#platform/errors/problem.ts'
import type { RentalOwner } from '#selling/orders/sale/credits.rules.ts'
import { type Quote, quoteOrder } from '#selling/orders/sale/quote.queries.ts'
import { keepsOf, type OrderPlace, orderOf } from './rules.ts'
import type { CartLine, Contents } from './state.ts'

/** What a cart costs, and what of it cannot be bought. */
export type CartQuote = {
  /** Of the lines that can be bought; undefined if there are none. */
  quote: Quote | undefined
  /** The places of the lines that cannot be bought. */
  refused: ReadonlySet<number>
  isCodeRefused: boolean
  /** Why nothing of it can be sold: the shop does not ship to the country, or the order is too large. */
  obstacle: 'place' | 'size' | undefined
}

const LINE = /^line_items\[(\d+)\]/

/**
 * Prices a cart. A product may have been withdrawn and a code may have ended since they were put into it, so the rest is
 * priced without them and the page says which they are. A shipping method that does not lead there gives way to one that does.
 * `owner` is whoever has rented what the cart keeps.
 */
export async function quoteCart(
  db: Db,
  companyId: number,
  cart: Contents,
  place: OrderPlace,
  now: Date,
  owner?: RentalOwner,
): Promise<CartQuote> {
  const numbered = cart.lines.map((line, index) => ({ line, index }))
  const refused = new Set<number>()
  let { discount_code, details } = cart
  // Each round leaves something out, and a cart has few lines.
  for (let round = 0; round <= cart.lines.length + 2; round += 1) {
    const left = numbered.filter(({ index }) => !refused.has(index))
    if (left.length === 0) break
    const lines: CartLine[] = left.map(({ line }) => line)
    const found = await tryQuote(db, companyId, { ...cart, lines, discount_code, details }, place, now, owner)
    if ('quote' in found)
      return { quote: found.quote, refused, isCodeRefused: discount_code !== cart.discount_code, obstacle: undefined }
    const places = found.paths.flatMap((path) => LINE.exec(path)?.[1] ?? []).map(Number)
    for (const at of places) {
      const entry = left[at]
      if (entry !== undefined) refused.add(entry.index)
    }
    if (found.paths.some((path) => path.startsWith('discount_codes'))) discount_code = ''
    else if (details.shipping_method !== '' && found.paths.some((path) => path.startsWith('shipping_lines')))
      details = { ...details, shipping_method: '' }
    else if (places.length === 0) {
      const obstacle = found.paths.some((path) => path.startsWith('line_items')) ? 'size' : 'place'
      return { quote: undefined, refused, isCodeRefused: discount_code !== cart.discount_code, obstacle }
    }
  }
  return { quote: undefined, refused, isCodeRefused: discount_code !== cart.discount_code, obstacle: undefined }
}

async function tryQuote(
  db: Db,
  companyId: number,
  cart: Contents,
  place: OrderPlace,
  now: Date,
  owner: RentalOwner | undefined,
) {
  const nobody = emptyRelation(companyId, 0, now)
  try {
    return {
      quote: await quoteOrder(db, companyId, orderOf(cart, place), nobody, now, { keeps: keepsOf(cart.lines, owner) }),
    }
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.fields === undefined) throw problem
    return { problem, paths: Object.keys(problem.fields) }
  }
}
