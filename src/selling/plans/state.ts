export type Interval = 'week' | 'month' | 'quarter' | 'year'

export type PlanLocale = { language: string; title: string; description: string }

export type PlanState = {
  company_id: number
  id: number
  /** The subscription group that it sells: `s77`. */
  group_id: string
  title: string
  description: string
  locales: PlanLocale[]
  /** What each period costs. */
  price_id: number
  interval: Interval
  /** A period is so many intervals. */
  interval_count: number
  /** Free days before the first period. */
  trial_days: number
  /** A cancellation counts from the end of as many periods; 0: from the end of the running one. */
  minimum_periods: number
  /** How often it renews; null: until somebody cancels it, 0: one period only. */
  renewals: number | null
  pausable: boolean
  /** False: nobody can sign up any more. Running subscriptions go on. */
  valid: boolean
  /** What lines of orders call it. No product has this id and code. */
  product_key: number
  product_id: string
  created_at: Date
  updated_at: Date
}
