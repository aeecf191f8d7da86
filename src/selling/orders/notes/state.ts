/** What somebody of the company wrote down about an order. Customers do not see it. */
export type OrderNoteState = {
  id: number
  order_id: number
  text: string
  user_id: number | null
  app_id: number | null
  created_at: Date
}
