import { readRates } from '#catalog/currency-rates/queries.ts'
import { findOwnCustomer } from '#people/customers/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { Problem } from '#platform/errors/problem.ts'
import type { Quote } from '#selling/orders/sale/quote.queries.ts'
import { quotePeriod } from '#selling/subscriptions/sale/quote.queries.ts'
import { type AgreedPrice, free, planForSale, priceFor, titleOf } from '#selling/subscriptions/sale/rules.ts'
import { readStanding, type Standing } from '#shop/catalog-pages/memberships/club.queries.ts'
import type { Club, PricedPlan } from '#shop/catalog-pages/memberships/state.ts'
import type { ShopVisit } from '#shop/site/state.ts'
import { countryOf } from '../rules.ts'
import type { CheckoutDetails } from '../state.ts'
import { cartOfSignUp, orderOfSignUp } from './rules.ts'

/** What somebody would sign up to now. */
export type PlanQuote = {
  /** What is paid today: nothing with a trial. */
  today: Quote
  /** What every period costs. */
  period: Quote
  /** The price that the customer agrees to, as price models have it. */
  price: AgreedPrice
  trialDays: number
  country: string
}

/** Undefined if the plan cannot be sold in this country or currency. */
export async function quotePlan(
  db: Db,
  { shop, currency, country: near, language }: ShopVisit,
  { group }: Pick<Club, 'group'>,
  plan: PricedPlan,
  details: CheckoutDetails,
  { wasSubscriber }: Standing,
  now: Date,
): Promise<PlanQuote | undefined> {
  const country = countryOf(cartOfSignUp(details), near)
  const order = orderOfSignUp(details, { shopId: shop.id, currency, country })
  const title = titleOf(plan, group, language)
  const trialDays = wasSubscriber ? 0 : plan.trial_days
  try {
    const period = await quotePeriod(db, shop.company_id, planForSale(plan, title, plan.price), order, now)
    const today =
      trialDays === 0
        ? period
        : await quotePeriod(db, shop.company_id, planForSale(plan, title, free(plan.price)), order, now)
    const price = priceFor(plan.price, period.draft.sale, await readRates(db))
    return price && { today, period, price, trialDays, country }
  } catch (problem) {
    if (problem instanceof Problem && problem.fields !== undefined) return undefined
    throw problem
  }
}

/** Where somebody stands who has typed an address, or has signed in. */
export async function readStandingOf(
  db: Db,
  { shop, customer }: Pick<ShopVisit, 'shop' | 'customer'>,
  email: string,
  groupId: string,
): Promise<Standing> {
  const { company_id: companyId } = shop
  const id =
    customer?.id ?? (email === '' ? undefined : (await findOwnCustomer(db, companyId, 'email', email))?.customer_id)
  return readStanding(db, companyId, id, groupId)
}
