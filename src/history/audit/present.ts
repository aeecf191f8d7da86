import { wireTime } from '#platform/wire/times.ts'
import type { AuditEntry } from './schema.ts'
import type { ListedEntry } from './state.ts'

export function presentAuditEntry(entry: ListedEntry): AuditEntry {
  return {
    id: entry.id,
    created_at: wireTime(entry.created_at),
    action: entry.action,
    subject: entry.subject,
    user_id: entry.user_id,
    user_email: entry.user_email,
    app_id: entry.app_id,
    address: entry.address,
    request_id: entry.request_id,
  }
}
