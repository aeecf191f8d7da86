import type { DeletionSettings } from '#platform/settings/operator-settings.ts'
import { wireTime } from '#platform/wire/times.ts'
import { dueAfter, keptUntil } from './rules.ts'
import type { CompanyDeletion } from './schema.ts'
import type { DeletionState } from './state.ts'

/** What was asked for, or what would happen if somebody asked now. */
export function presentDeletion(
  deletion: DeletionState | undefined,
  settings: DeletionSettings,
  now: Date,
): CompanyDeletion {
  const due = deletion?.due_at ?? dueAfter(now, settings)
  return {
    requested_at: deletion === undefined ? null : wireTime(deletion.requested_at),
    requested_by: deletion?.requested_by ?? null,
    due_at: wireTime(due),
    kept_until: wireTime(deletion?.kept_until ?? keptUntil(due, settings)),
    wait_days: settings.waitDays,
  }
}
