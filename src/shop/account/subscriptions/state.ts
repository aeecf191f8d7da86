import type { Interval } from '#selling/plans/state.ts'
import type { ChangeKind, PeriodStatus, SubscriptionStatus } from '#selling/subscriptions/state.ts'

/** A price of a period, which templates say as `€7.90 every month`. */
export type PeriodPrice = { cents: number; currency: string; interval: Interval; interval_count: number }

/** The next payment. It is charged, or the customer gets a bill for it. */
export type NextPayment = { cents: number; currency: string; on: Date; is_bill: boolean }

/** Where a subscription stands for its customer: its status, or `pausing` if a pause is planned. */
export type Standing = SubscriptionStatus | 'pausing'

/** A subscription in the list of its customer. */
export type SubscriptionCard = {
  id: number
  /** The name of the group. */
  title: string
  plan: string
  standing: Standing
  /** The colour of its chip; empty for grey. */
  tone: 'green' | 'amber' | 'red' | ''
  /** The day that its standing is about, such as its end. */
  day: Date | undefined
  price: PeriodPrice
  /** Nothing if no other period follows. */
  next: NextPayment | undefined
}

/** What the customer can do, with what each thing would mean. */
export type Choices = {
  /** Nothing: it is cancelled already, or over. */
  cancel: { ends_at: Date; is_at_once: boolean; is_committed: boolean } | undefined
  /** A cancellation or a pause can be taken back. */
  resume: 'cancellation' | 'pause' | undefined
  /** How many months a pause can last, each with its end. */
  pause: { months: number; until: Date }[]
  plans: PlanChoice[]
  means: boolean
}

export type PlanChoice = { id: number; title: string; description: string; price: PeriodPrice; is_next: boolean }

export type ShownPeriod = {
  number: number
  starts_at: Date
  ends_at: Date
  status: PeriodStatus
  order_id: number
  order_name: string
  cents: number
  currency: string
  documents: { kind: string; number: string; path: string }[]
}

export type ShownChange = {
  kind: ChangeKind
  at: Date
  plan: string
  cents: number
  currency: string
  day: Date | undefined
}

/** What a change of plan costs, now or with the next period. */
export type OfferedChange = {
  at: 'now' | 'period_end'
  price_cents: number
  /** What is left of the running period. */
  credit_cents: number
  /** What is charged. */
  total_cents: number
  currency: string
  starts_at: Date
  ends_at: Date
  /** The end of the minimum term; nothing if there is none. */
  committed_until: Date | undefined
  /** How often it renews, and when it then ends by itself; nothing if it goes on until it is cancelled. */
  renewals: number | undefined
  over_at: Date | undefined
  /** What the form sends back, so that nobody agrees to other terms. */
  terms: string
}
