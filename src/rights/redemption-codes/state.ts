import type { Content, NewEntitlement } from '#rights/entitlements/state.ts'

/** What a code gives: entitlements without their owner. */
export type Given = Pick<
  NewEntitlement,
  | 'product_key'
  | 'product_id'
  | 'title'
  | 'hd'
  | 'audio_type'
  | 'num_users'
  | 'license_id'
  | 'license_title'
  | 'terms'
  | 'test'
> & {
  /** One, or several if the product includes others. */
  contents: Content[]
}

/** The membership that a code gives instead of a product; no group: it gives a product. */
export type GivenMembership = {
  group_id: string | null
  /** Until when; null: so many days from redeeming on, or without an end. */
  member_until: Date | null
  member_days: number | null
}

/** A redemption code as it is stored. */
export type RedemptionCodeState = Given &
  GivenMembership & {
    company_id: number
    id: number
    /** As it is shown: in groups of four, or as the company has printed it. */
    code: string
    /** Was it printed elsewhere? No character checks it then. */
    own: boolean
    uses_max: number
    uses: number
    /** Uses that a refund or a cancellation has ended. */
    uses_ended: number
    /** Null if the company made the code. */
    order_id: number | null
    line_id: number | null
    /** The order is not confirmed yet. */
    on_hold: boolean
    note: string
    expires_at: Date | null
    revoked_at: Date | null
    created_at: Date
    updated_at: Date
  }

/** A code that is sold with a line of an order. */
export type SoldCode = Given & Pick<RedemptionCodeState, 'code' | 'uses_max' | 'order_id' | 'line_id' | 'on_hold'>

/** A mail with a code that waits for its time, or was sent. */
export type GiftState = {
  company_id: number
  id: number
  code_id: number
  email: string
  name: string
  message: string
  /** Who gives it; empty if the company does. */
  giver: string
  /** The shop in which it was bought; null: the first one of the company. */
  theme_setting_id: number | null
  language: string
  send_at: Date
  sent_at: Date | null
  called_back_at: Date | null
}

export type RedemptionState = {
  company_id: number
  id: number
  code_id: number
  customer_token: string
  entitlement_ids: number[]
  created_at: Date
}

/** A code with the last mail that gives it to somebody. */
export type ListedCode = RedemptionCodeState & { gift: GiftState | null }
