import type { FollowedChange } from '#catalog/products/mirrors/rules.ts'

/** A mirror in a company's shop, and what is known of its original. */
export type MirrorRow = {
  id: number
  document: string
  valid: boolean
  created_at: Date
  /** The percentage that was agreed. */
  cost_to_licensees_percent: number
  followed_at: Date | null
  followed_changes: FollowedChange[]
  company_name: string
  /** What the owner asks of others now; null if the owner offers nothing. */
  offered_percent: number | null
  has_original: boolean
}
