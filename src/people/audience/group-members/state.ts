import type { PersonState } from '../state.ts'

export type GroupMemberState = PersonState & {
  group_id: string
  /** Null: no bound. */
  start_at: Date | null
  end_at: Date | null
}
