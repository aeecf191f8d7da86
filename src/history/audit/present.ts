import { wireTime } from '#platform/wire/times.ts'
import type { AuditEntry } from './schema.ts'
import type { AuditEntryState } from './state.ts'

export function presentAuditEntry(entry: AuditEntryState): AuditEntry {
  return {
    id: entry.id,
    created_at: wireTime(entry.created_at),
    action: entry.action,
    subject: entry.subject,
    user_id: entry.user_id,
    app_id: entry.app_id,
    address: entry.address,
    request_id: entry.request_id,
  }
}
