import type { ForSale } from '#catalog/products/sale/state.ts'
import { emptyRelation } from '#people/customers/rules.ts'
import type { Db } from '#platform/db/database.ts'
import { type Quote, quoteOrder } from '#selling/orders/sale/quote.queries.ts'
import type { OrderInput } from '#selling/orders/schema.ts'
import type { OrderState } from '#selling/orders/state.ts'
import type { PlanState } from '#selling/plans/state.ts'
import { nextAmount } from '../rules.ts'
import type { SubscriptionState } from '../state.ts'
import { agreed, planForSale } from './rules.ts'

/** What a period of a plan would cost as an order, for a page that says so before anybody pays. */
export function quotePeriod(
  db: Db,
  companyId: number,
  product: ForSale,
  order: Omit<OrderInput, 'line_items'>,
  now: Date,
): Promise<Quote> {
  const input = { ...order, line_items: [{ product_id: product.product_id, quantity: 1 }] }
  return quoteOrder(db, companyId, input, emptyRelation(companyId, 0, now), now, { plan: { product } })
}

/** What the next period of a subscription costs with its taxes, where the customer was taxed last. */
export async function quoteNextPeriod(
  db: Db,
  subscription: SubscriptionState,
  plan: PlanState,
  { company_id, country_code, vat_id }: Pick<OrderState, 'company_id' | 'country_code' | 'vat_id'>,
  now: Date,
): Promise<number> {
  const { currency, period_end } = subscription
  const cents = nextAmount(subscription, { starts_at: period_end })
  const product = planForSale(plan, plan.title, agreed({ cents, currency }))
  const place = {
    currency,
    ...(country_code === '' ? {} : { customer: { addresses: [{ country_code }] } }),
    ...(vat_id === '' ? {} : { vat_id }),
  }
  return (await quotePeriod(db, company_id, product, place, now)).pricing.totals.total
}
