import type { PriceForSale } from '#catalog/products/sale/state.ts'
import type { GroupState } from '#people/groups/state.ts'
import type { Terms } from '#rights/entitlements/rights/state.ts'
import type { PlanState } from '#selling/plans/state.ts'

/** A plan that people can sign up to, and what a period costs. */
export type PricedPlan = PlanState & { price: PriceForSale }

/** A subscription group as its page shows it. */
export type Club = {
  group: GroupState
  /** What members may do with what it includes. */
  terms: Terms
  /** Does it open anything for its members? */
  isOpen: boolean
  /** The plans that people can sign up to. */
  plans: PricedPlan[]
}
