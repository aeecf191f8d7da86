import type { UserAddressState } from './addresses/state.ts'
import type { Permissions } from './schema.ts'

/** A user as it is stored. */
export type UserState = {
  company_id: number
  id: number
  email: string
  /** Null until the invitation is accepted. */
  password_hash: string | null
  first_name: string
  last_name: string
  language: string
  note: string
  state: 'enabled' | 'disabled'
  time_zone: number
  token: string
  verified_email: boolean
  default_address: UserAddressState | null
  permissions: Permissions
  created_at: Date
  updated_at: Date
}
