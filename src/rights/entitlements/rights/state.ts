import type { LicenseTerms, OutputProtection } from '#catalog/licenses/state.ts'

export type Action = 'play' | 'download' | 'export' | 'burn' | 'print'

export type Terms = LicenseTerms
export type Protection = OutputProtection

/**
 * A device that has the content now. Without an end it has it until it gives it back, as an activated program does. With a
 * license of its own it has it until that is returned, whatever else it gives back.
 */
export type Hold = { device: string; until: Date | null; license?: string }

/** How often the content was used. Annual counts belong to one year of the license. */
export type Usage = {
  downloads: number
  exports: number
  burns: number
  prints: number
  year: number
  year_downloads: number
  year_exports: number
  /** The different devices of that year. It is kept only if the license limits them. */
  year_devices: string[]
  holds: Hold[]
}

export type RevokedReason = 'refund' | 'cancellation' | 'owner' | 'clock'

/** What a group lets a member use, and when. */
export type Membership = {
  /** Does the group open anything at all? */
  is_valid: boolean
  /** Is the customer in the group? */
  is_member: boolean
  /** From when its years are counted: one day for everything that counts together. Null if nobody knows. */
  counted_from: Date | null
  /** The time of the member; null: no bound. */
  starts_at: Date | null
  ends_at: Date | null
  /** Does the product name the group? */
  is_included: boolean
  /** The time of the product in the group; null: no bound. */
  opens_at: Date | null
  closes_at: Date | null
}

/** Everything about an entitlement that a decision depends on. */
export type Rights = {
  terms: Terms
  product_type: number
  /** The device limits hold for each of so many users. */
  users: number
  acquired_at: Date
  /** When a product that was ordered in advance is released. Null: it was out when it was sold. */
  released_at: Date | null
  first_used_at: Date | null
  revoked: RevokedReason | null
  /** The order is not confirmed yet. */
  on_hold: boolean
  /** A clock was set back, and no request has shown the right time since. */
  suspended: boolean
  usage: Usage
  /** Null if the customer owns it. */
  membership: Membership | null
}

/** What somebody wants to do, and with what. */
export type Ask = {
  action: Action
  /** The device with the latest time that it has shown before. */
  device: { id: string; last_client_time: Date | null } | null
  client_time: Date | null
  /** Pages of a print. */
  pages: number
}

/** How often it may still be done; null means without limit. */
export type Remaining = {
  downloads: number | null
  exports: number | null
  burns: number | null
  prints: number | null
  devices: number | null
}

export type EntitlementStatus = 'active' | 'not_started' | 'expired' | 'suspended' | 'revoked'
