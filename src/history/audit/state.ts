/** An audit entry as it is stored. Entries are written once and never changed. */
export type AuditEntryState = {
  id: number
  created_at: Date
  action: string
  subject: string
  user_id: number | null
  app_id: number | null
  address: string
  request_id: string
}

/** An audit entry with the address of its user; null: nobody was signed in. */
export type ListedEntry = AuditEntryState & { user_email: string | null }
