import type { CustomerAddressState } from './addresses/state.ts'

/** A customer's account as it is stored: the same for every company. */
export type AccountState = {
  id: number
  token: string
  email: string
  /** Null until a password is chosen. */
  password_hash: string | null
  language: string
  state: 'enabled' | 'disabled'
  verified_email: boolean
  created_at: Date
  updated_at: Date
}

/** A company's own data about a customer. No other company sees or changes it. */
export type RelationState = {
  company_id: number
  customer_id: number
  first_name: string
  last_name: string
  /** Oldest first. One is the default, if there are any. */
  addresses: CustomerAddressState[]
  note: string
  orders_count: number
  /** In cents. */
  total_spent: number
  last_order_id: number
  last_order_name: string
  created_at: Date
  updated_at: Date
}
