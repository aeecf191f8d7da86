/** What one company booked with another one in a month, in one currency, on one side. */
export type StatementLine = {
  counterpart_id: number
  company_name: string
  currency: string
  /** Did the company sell the products of the other one? */
  is_seller: boolean
  entries: number
  sales_cents: number
  refunds_cents: number
}

/** What all bookings of a month come to in one currency, and what was there before. */
export type StatementTotal = { currency: string; opening_cents: number; amount_cents: number }

/** A month with bookings in one currency, in the time zone of the company. */
export type MonthRow = {
  month: string
  currency: string
  entries: number
  sales_cents: number
  refunds_cents: number
  /** All that is owed at its end. */
  closing_cents: number
}

/** A month, and the first and the last second of it. */
export type Month = { month: string; from: Date; to: Date }
