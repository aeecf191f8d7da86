/** Where a customer stopped in a file of something that they own. */
export type Position = {
  entitlement_id: number
  file_id: number
  /** The place in a film or a track; 0 for books. */
  seconds: number
  /** The place in a book, as its reader names it; empty for films and tracks. */
  place: string
  /** How much of it is behind the customer, from 0 to 1. */
  fraction: number
  updated_at: Date
}
