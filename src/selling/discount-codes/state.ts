export type DiscountCodeState = {
  company_id: number
  id: number
  code: string
  type: 'percentage' | 'fixed_amount'
  /** Percent, or cents in the currency of the company. */
  amount: number
  starts_at: Date | null
  ends_at: Date | null
  usage_limit: number | null
  /** The number of orders that used it. */
  used: number
  created_at: Date
  updated_at: Date
}
