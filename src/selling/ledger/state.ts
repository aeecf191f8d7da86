export type LedgerEntryState = {
  company_id: number
  id: number
  /** The company on the other side. */
  counterpart_id: number
  order_company_id: number
  order_id: number
  line_item_id: number
  refund_id: number | null
  kind: 'sale' | 'refund' | 'cancellation'
  product_id: string
  title: string
  quantity: number
  cost_to_licensees_percent: number
  /** Positive if the company gets it, negative if the company owes it. */
  amount_cents: number
  currency: string
  created_at: Date
}

/** The amount that a company gets from another one, or owes it (negative), over all entries in one currency. */
export type Balance = {
  counterpart_id: number
  company_name: string
  currency: string
  amount: number
  entries: number
}
