/** Where a refund was requested. */
export type RefundSource = 'web' | 'api'

export type RefundStatus = 'pending' | 'success' | 'failure'

/** How many items of a line were refunded, and for how much. */
export type RefundedLine = { id: number; line_item_id: number; quantity: number; cents: number }

export type RefundState = {
  company_id: number
  id: number
  order_id: number
  note: string | null
  restock: boolean
  amount_cents: number
  /** In the currency of the company. */
  home_cents: number
  lines: RefundedLine[]
  transaction_id: number
  source_name: RefundSource
  /** Pending: the gateway has not returned the money yet. Failure: it refused to. */
  status: RefundStatus
  created_at: Date
}
