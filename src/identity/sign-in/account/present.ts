import type { SessionRow } from '#identity/users/sessions/queries.ts'
import { browserParts } from '#identity/users/sessions/rules.ts'
import type { Session } from '#platform/identity/session.ts'
import { wireTime } from '#platform/wire/times.ts'

export function presentSession(row: SessionRow, current: Session) {
  return {
    ...browserParts(row.browser),
    address: row.address,
    created_at: wireTime(row.created_at),
    seen_at: wireTime(row.seen_at),
    current: row.key === current.key,
  }
}
