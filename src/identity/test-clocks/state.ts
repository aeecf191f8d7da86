import type { HappenedKind } from './happened.facts.ts'

/** A clock as it is stored. */
export type ClockState = {
  company_id: number
  ahead_ms: number
  stands_at: Date | null
  moves_to: Date | null
  moved_from: Date | null
  moved_to: Date | null
  stopped_because: string | null
}

/** How often something happened, and the first times. */
export type Report = Record<HappenedKind, { count: number; first: { id: number; at: Date }[] }>
