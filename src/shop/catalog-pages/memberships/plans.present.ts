import type { Amount } from '#catalog/prices/rules.ts'
import { ACCESS_GROUP } from '#catalog/products/types.facts.ts'
import type { PlanState } from '#selling/plans/state.ts'
import { amountFor, type Viewer } from '../cards.present.ts'
import { showsNet, withTax } from '../shown-prices/rules.ts'
import type { OfferedPlan } from '../state.ts'

/** How plans are taxed: as what `planForSale` sells. */
const SOLD_AS = { product_type: ACCESS_GROUP, tax_class: 'standard' } as const

const MONTHS: Readonly<Record<PlanState['interval'], number>> = { week: 7 / 30, month: 1, quarter: 3, year: 12 }

/** What a period of a plan costs a visitor. */
export type PlanPrice = {
  /** As the shop shows prices: with tax, or without it. */
  price: Amount
  /** What is paid in the end, where prices are shown without tax. */
  with_tax: Amount | undefined
  /** The unit that periods are counted in: `week`, `month`, `quarter` or `year`. */
  interval: PlanState['interval']
  /** A period has so many units. */
  interval_count: number
  /** What a month costs, if a period is longer. */
  per_month: Amount | undefined
}

/** Undefined if the plan has no price for this visitor. */
export function planPrice(plan: Omit<OfferedPlan, 'trial_days'>, viewer: Viewer): PlanPrice | undefined {
  const { interval, interval_count } = plan
  const listed = amountFor(plan.price, viewer)
  if (listed === undefined) return undefined
  const gross = withTax(listed, null, SOLD_AS, viewer)
  const price = showsNet(viewer) ? listed : gross
  const months = MONTHS[interval] * interval_count
  return {
    price,
    with_tax: gross.cents === price.cents ? undefined : gross,
    interval,
    interval_count,
    per_month: months > 1 ? { ...price, cents: Math.round(price.cents / months) } : undefined,
  }
}

/** A plan of a group in a line beside the offers of a product. */
export type PlanOffer = PlanPrice & {
  /** Free days before the first period. */
  trial_days: number
  /** Does the group offer more than one plan? */
  is_from: boolean
}

/** The plan of a group with the lowest price: people compare what they pay at once. */
export function cheapestPlan(plans: readonly OfferedPlan[], viewer: Viewer): PlanOffer | undefined {
  const offered = plans.flatMap((plan) => {
    const price = planPrice(plan, viewer)
    return price === undefined ? [] : [{ ...price, trial_days: plan.trial_days }]
  })
  const [first] = offered.toSorted((one, other) => one.price.cents - other.price.cents)
  return first && { ...first, is_from: offered.length > 1 }
}
