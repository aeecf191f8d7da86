/** Every subscriber, group member and news recipient is a person, known by email address. */
export type PersonState = {
  company_id: number
  id: number
  email: string
  /** The token of the customer that the person is; null if the company has no customer with this address. */
  customer_token: string | null
  created_at: Date
  updated_at: Date
}
