import type { GroupLocale } from '#people/groups/state.ts'
import type { Membership, Terms } from '../rights/state.ts'

/** A group that a customer is in, and the time of the customer in it. */
export type MembershipState = {
  /** That of the subscriber or group member. */
  id: number
  group_id: string
  title: string
  locales: GroupLocale[]
  license_id: number | null
  valid: boolean
  terms: Terms
  joined_at: Date
  starts_at: Date | null
  ends_at: Date | null
}

/** A group that may open a product for a customer. */
export type Opening = {
  group_id: string
  title: string
  locales: GroupLocale[]
  license_id: number | null
  membership: Membership
}

/** A product that a group includes. */
export type IncludedState = {
  id: number
  product_id: string
  product_type: number
  title: string
  opens_at: Date | null
  closes_at: Date | null
}
