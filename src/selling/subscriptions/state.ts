import type { GatewayName } from '#selling/payments/state.ts'
import type { CHANGES, END_REASONS, STATUSES } from './words.facts.ts'

/**
 * Incomplete: signed up, and not paid or confirmed yet. Past due: the period could not be charged, and is tried again. Cancelled:
 * it runs to the end of what was paid. The table NEXT in rules.ts says what can follow what.
 */
export type SubscriptionStatus = (typeof STATUSES)[number]

/** Why a subscription has ended. */
export type EndReason = (typeof END_REASONS)[number]

export type SubscriptionState = {
  company_id: number
  id: number
  customer_id: number
  customer_token: string
  group_id: string
  plan_id: number
  status: SubscriptionStatus
  ended_because: EndReason | null
  /** How periods are paid. */
  gateway: GatewayName
  /** The payment whose card or account is charged again; null: the customer has to pay. */
  means_payment_id: number | null
  /** The payment with which the customer is changing the means, until its gateway says what became of it. */
  next_means_payment_id: number | null
  /** When the customer last changed the means. A charge that began before may have used the earlier ones. */
  means_changed_at: Date | null
  source_name: 'api' | 'webshop'
  theme_setting_id: number
  test: boolean
  currency: string
  /** The price of a period that the customer has agreed to, as price models have it: with tax, unless the company sells net. */
  amount_cents: number
  /** Another price that the customer was told of, and the start of the first period that costs it. */
  announced_cents: number | null
  announced_from: Date | null
  /** When the price of the plan was last compared with the agreed one. */
  price_checked_at: Date
  /** What is left of an earlier plan and makes the next period cheaper, with tax. */
  credit_cents: number
  /** The last period that has begun or was paid ahead; 0 is the trial. */
  period_number: number
  period_start: Date
  period_end: Date
  /** Periods are counted from here, so that the 31st stays the 31st after a short month. */
  anchor: Date
  /** How often it still renews; null: until it is cancelled. */
  renewals_left: number | null
  /** The end of the minimum term. */
  committed_until: Date | null
  /** The plan of the next period, if it is another one. */
  next_plan_id: number | null
  /** When it ends, because somebody has cancelled it. */
  ends_at: Date | null
  cancelled_at: Date | null
  /** It is paused from the end of the period until then. */
  paused_until: Date | null
  /** How often the open period could not be charged. */
  failures: number
  /** The end of the period that the customer was reminded of. */
  reminded_of: Date | null
  /** When something has to be done next; null: nothing. */
  due_at: Date | null
  created_at: Date
  updated_at: Date
  ended_at: Date | null
}

/** A subscription with the address of its customer; null: the company does not know the customer any more. */
export type ListedSubscription = SubscriptionState & { email: string | null }

/** Open: nobody has paid yet. Void: nobody will. */
export type PeriodStatus = 'open' | 'paid' | 'void'

/** A period of a subscription with its order. */
export type PeriodState = {
  company_id: number
  id: number
  subscription_id: number
  number: number
  plan_id: number
  order_id: number
  starts_at: Date
  ends_at: Date
  /** What of the credit was used for it. */
  credit_cents: number
  status: PeriodStatus
  created_at: Date
}

/** What the timeline of a subscription shows. */
export type ChangeKind = (typeof CHANGES)[number]

export type ChangeState = {
  company_id: number
  id: number
  subscription_id: number
  kind: ChangeKind
  details: Record<string, string | number | null>
  created_at: Date
}
