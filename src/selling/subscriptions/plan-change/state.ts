import type { PlanState } from '#selling/plans/state.ts'

export type PlanChange = {
  planId: number
  at: 'now' | 'period_end'
  /** What the customer was shown, in cents: the change is refused if it costs something else by now. */
  agreedCents?: number
  /** The terms that the customer was shown, as `terms` of the offer has them. */
  agreedTerms?: string | undefined
}

/** What a change of plan means for the customer. */
export type PlanOffer = {
  plan: PlanState
  at: PlanChange['at']
  /** The price of the plan, as price models have it. */
  amount_cents: number
  /** What the first period of the plan costs, and what of it is credited, in cents with tax. */
  total_cents: number
  credit_cents: number
  currency: string
  /** When the first period begins, and when it ends. */
  starts_at: Date
  ends_at: Date
  /** The end of the minimum term, and how often it renews. Null: there is none, and until it is cancelled. */
  committed_until: Date | null
  renewals: number | null
  /** What an owner may change of the terms while a customer looks at them, as a word for a form. */
  terms: string
}
