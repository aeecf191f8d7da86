/** A period that is not paid, and what happens to it. */
export type OpenPayment = {
  cents: number
  currency: string
  /** The last part of the address of the page on which it is paid. */
  token: string
  since: Date
  /** Why the last charge failed: the bank declined it, or wants the customer to confirm it. Nothing: none has failed. */
  failure: 'declined' | 'confirm' | undefined
  /** Is the money on its way? */
  is_under_way: boolean
  /** When it is charged again; nothing if not. */
  retry_at: Date | undefined
  /** Until when the customer stays a member. */
  open_until: Date
  is_bill: boolean
}

/** The same with the subscription that it is for. */
export type OwedPayment = { subscription: { id: number; title: string }; open: OpenPayment }
