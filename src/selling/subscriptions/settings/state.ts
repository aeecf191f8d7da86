/** How a company handles its subscriptions. */
export type SubscriptionSettings = {
  company_id: number
  /** On which days after a failed charge it is tried again. */
  retry_days: number[]
  /** How many days before a period its bill is sent. */
  bill_days: number
  /** How many days before a trial ends the customer is reminded; 0: never. */
  trial_reminder_days: number
  /** How many days before a year is charged the customer is reminded; 0: never. */
  renewal_reminder_days: number
  /** How many days ahead customers are told of another price. */
  price_notice_days: number
  updated_at: Date
}
