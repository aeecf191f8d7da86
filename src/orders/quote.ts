import { readRates } from '#currency-rates/queries.ts'
import type { RelationState } from '#customers/state.ts'
import type { Db } from '#platform/db/database.ts'
import { validationFailed } from '#platform/problem.ts'
import { type Draft, draftOrder } from './draft.ts'
import { noRate } from './errors.ts'
import { NO_RATES, type Pricing, priceOrder } from './pricing.ts'
import { readQuoteContext } from './sale-context.ts'
import type { OrderInput } from './schema.ts'

/** What an order would contain and cost if it were placed now. */
export type Quote = { draft: Draft; pricing: Pricing }

/**
 * Prices an order by the rules of a sale, and refuses what a sale would refuse, except for stock. Nothing is written, so a
 * page can ask each time it is shown.
 */
export async function quoteOrder(
  db: Db,
  companyId: number,
  input: OrderInput,
  own: RelationState,
  now: Date,
): Promise<Quote> {
  const draft = draftOrder(input, await readQuoteContext(db, companyId, input, now), own, now)
  const pricing = priceOrder(draft, NO_RATES) ?? priceOrder(draft, await readRates(db))
  if (pricing === undefined) throw validationFailed('currency', noRate())
  return { draft, pricing }
}
