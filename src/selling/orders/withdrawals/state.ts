/** A declaration as somebody has entered it in a shop. */
export type Declaration = {
  shop_id: number
  /** The number of the order, as typed. */
  order: string
  email: string
  goods: string
  reason: string
  language: string
  received_at: string
}

/** A stored declaration of a customer who withdraws from a purchase. */
export type WithdrawalState = {
  id: number
  order_id: number
  email: string
  goods: string
  reason: string
  received_at: Date
}
