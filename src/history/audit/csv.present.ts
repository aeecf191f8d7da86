import { csvLine } from '#platform/wire/csv.ts'
import { wireTime } from '#platform/wire/times.ts'
import type { ListedEntry } from './state.ts'

export const HEADING = csvLine(['id', 'created_at', 'action', 'subject', 'user', 'app_id', 'address', 'request_id'])

export function linesOf(entries: readonly ListedEntry[]): string {
  return entries
    .map(({ id, created_at, action, subject, user_email, app_id, address, request_id }) =>
      csvLine([id, wireTime(created_at), action, subject, user_email, app_id, address, request_id]),
    )
    .join('')
}
