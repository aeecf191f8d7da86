import type { PersonState } from '../state.ts'

export type SubscriberState = PersonState & {
  group_id: string
  /** Null: the subscription has no end. */
  ends_at: Date | null
}
