import { smallestCents } from '#catalog/currency-rates/currencies.facts.ts'
import type { ForSale } from '#catalog/products/sale/state.ts'
import { findOwnCustomer, findRecipient } from '#people/customers/queries.ts'
import { findGroup } from '#people/groups/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { readOrders } from '#selling/orders/queries.ts'
import type { Credit } from '#selling/orders/sale/credits.rules.ts'
import type { OrderInput } from '#selling/orders/schema.ts'
import type { PlanState } from '#selling/plans/state.ts'
import { restOf, type Span } from '../periods.rules.ts'
import { findPeriod, readPeriods } from '../queries.ts'
import { nextAmount } from '../rules.ts'
import type { SubscriptionState } from '../state.ts'
import { agreed, creditFor, planForSale, taxedAs, titleOf } from './rules.ts'

/** A group that has plans cannot be deleted. */
const NAMELESS = { title: '', locales: [] }

/** What the order of a period says, and what it costs before taxes. */
export type PeriodSale = { input: OrderInput; product: ForSale; credit: Credit | undefined }

/** The sale of a period of a plan, for those who sell it and for those who say what it would cost. */
export async function readPeriodSale(
  db: Db,
  before: SubscriptionState,
  plan: PlanState,
  span: Span,
): Promise<PeriodSale> {
  const { company_id: companyId, id, currency, test } = before
  const [group, recipient, own, [last]] = await Promise.all([
    findGroup(db, companyId, before.group_id),
    findRecipient(db, companyId, before.customer_id),
    findOwnCustomer(db, companyId, 'token', before.customer_token),
    readPeriods(db, companyId, id, 1),
  ])
  const [earlier] = last === undefined ? [] : await readOrders(db, companyId, [last.order_id])
  const price = agreed({ cents: nextAmount(before, span), currency })
  const product = planForSale(plan, titleOf(plan, group ?? NAMELESS, recipient?.language ?? ''), price)
  const input: OrderInput = {
    line_items: [{ product_id: product.product_id, quantity: 1 }],
    currency,
    test,
    ...(before.theme_setting_id === 0 ? {} : { theme_setting_id: before.theme_setting_id }),
    ...taxedAs(own, earlier),
  }
  return { input, product, credit: creditFor(before, earlier?.lines[0]?.tax_rate ?? 0) }
}

/** What is left at a time of what was paid for the running period. */
export async function restAt(db: Db, subscription: SubscriptionState, time: Date): Promise<number> {
  const { company_id, id, period_number, period_start, period_end, currency } = subscription
  const current = await findPeriod(db, company_id, id, period_number)
  const [order] = current === undefined ? [] : await readOrders(db, company_id, [current.order_id])
  if (current === undefined || order === undefined) return 0
  const paid = Math.max(0, order.total_cents - order.refunded_cents) + current.credit_cents
  return restOf({ starts_at: period_start, ends_at: period_end }, paid, time, smallestCents(currency))
}
