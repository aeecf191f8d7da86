import type { Rights, Terms } from './rights/state.ts'

/** A piece of content that a customer owns, as it is stored. */
export type EntitlementState = Omit<Rights, 'users'> & {
  company_id: number
  id: number
  customer_id: number
  customer_token: string
  /** Null if it was not bought but redeemed or given. */
  order_id: number | null
  line_id: number | null
  /** The number of the piece in its line. The parts of a collection share one. */
  piece: number
  test: boolean
  /** The product whose release counts. */
  product_key: number
  /** The product whose files it gives: that of the owner, if the product was mirrored. */
  content_company_id: number
  content_key: number
  product_id: string
  title: string
  hd: boolean
  audio_type: number | null
  num_users: number | null
  license_id: number | null
  license_title: string | null
  /** The group that lets a member use it, and the product that names the group; null: the customer owns it. */
  group_id: string | null
  group_product_key: number | null
  /** When it was sold, or its code was made. The files that the product had from then on belong to it. */
  granted_at: Date
  /** The release is still ahead, so the date of the product counts. */
  awaits_release: boolean
  revoked_at: Date | null
  updated_at: Date
}

/** An entitlement that is granted: everything about it but its use. */
export type NewEntitlement = Pick<
  EntitlementState,
  | 'company_id'
  | 'customer_id'
  | 'customer_token'
  | 'order_id'
  | 'line_id'
  | 'test'
  | 'product_key'
  | 'content_company_id'
  | 'content_key'
  | 'product_id'
  | 'product_type'
  | 'title'
  | 'hd'
  | 'audio_type'
  | 'num_users'
  | 'license_id'
  | 'license_title'
  | 'released_at'
  | 'on_hold'
> & {
  terms: Terms
  pieces: number
  /** For what a member opens. */
  group_id?: string | null
  group_product_key?: number | null
  granted_at?: Date
  /** When it was bought, if that was before: in another shop, say. The time of the license begins then. */
  acquired_at?: Date
  /** It does not start before, even if the product is out. */
  starts_at?: Date | null
}

/** The product whose content an entitlement gives, and when it starts. */
export type Content = Pick<
  NewEntitlement,
  'product_key' | 'content_company_id' | 'content_key' | 'product_id' | 'product_type' | 'title' | 'released_at'
>
