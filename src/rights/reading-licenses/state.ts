import type { ReadyPublication } from '#rights/publications/state.ts'

/** The license by which a buyer opens a publication in reading apps, as it is stored. */
export type ReadingLicense = {
  company_id: number
  id: number
  /** What reading apps know it by. */
  uid: string
  entitlement_id: number
  customer_id: number
  file_id: number
  file_name: string
  publication_company_id: number
  publication_id: number
  /** Until when reading apps open it; null: no end. */
  ends_at: Date | null
  issued_at: Date
  updated_at: Date
  status_updated_at: Date
  returned_at: Date | null
}

export type EventType = 'register' | 'renew' | 'return'

/** What a reading app did with a license. */
export type LicenseEvent = { type: EventType; device_id: string; device_name: string; created_at: Date }

/** What reading apps call the state of a license. */
export type LicenseStatus = 'ready' | 'active' | 'expired' | 'returned' | 'revoked' | 'cancelled'

/** What a license allows apart from opening; null: no limit. */
export type ReadingRights = { print: number | null; copy: number | null; start: Date; end: Date | null }

/** The key of a publication for one reader, and what tells a right passphrase from a wrong one, in base64. */
export type LicenseKeys = { content_key: string; key_check: string }

/** A license with everything that a reading app gets to know. */
export type WholeLicense = {
  license: ReadingLicense
  events: LicenseEvent[]
  publication: ReadyPublication
}
