import type { CustomerAddressState } from './addresses/state.ts'

/** A customer's account as it is kept: what is the same for every company. */
export type AccountState = {
  id: number
  token: string
  email: string
  /** Null: nobody has chosen a password yet. */
  password_hash: string | null
  first_name: string
  last_name: string
  language: string
  state: 'enabled' | 'disabled'
  verified_email: boolean
  /** Oldest first. One is the default, if there is any. */
  addresses: CustomerAddressState[]
  created_at: Date
  updated_at: Date
}

/** What one company knows of a customer beyond the account. */
export type RelationState = {
  company_id: number
  customer_id: number
  note: string
  orders_count: number
  /** In cents. */
  total_spent: number
  last_order_id: number
  last_order_name: string
  created_at: Date
  updated_at: Date
}
